import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeProgram, Refusal, ROOT, run, step } from './steps.mjs'
import { buildVerifier, VERIFIER } from './verifier.mjs'

const STAMPS = join(ROOT, 'node_modules', '.cache', 'rif')
const SHARED = ['package-lock.json', 'tsconfig.base.json', 'packages', 'contracts/generated']

/** The builds, with the files that each depends on. Tests are excluded. */
const BUILDS = [
  {
    name: 'build app',
    sources: [...SHARED, 'apps/web'],
    result: 'apps/web/dist/index.html',
    build: () =>
      run(process.execPath, [nodeProgram('vite/bin/vite.js'), 'build'], { cwd: join(ROOT, 'apps', 'web') }),
  },
  {
    name: 'build verifier',
    sources: [...SHARED, 'apps/web'],
    result: `apps/web/dist/${VERIFIER}`,
    build: () => buildVerifier(join(ROOT, 'apps', 'web', 'dist')),
  },
]
const NOT_SOURCES = /(^|\/)(node_modules|dist|testing|\.[^/]*)$|\.test\.tsx?$/

/** Builds what is missing or has changed. Throws a Refusal with the output of a build that failed. */
export async function prepare() {
  for (const build of BUILDS) await buildIfChanged(build)
}

async function buildIfChanged({ name, sources, result, build }) {
  const stampPath = join(STAMPS, name.replace(' ', '-'))
  const stamp = await hashOf(sources)
  const last = await readFile(stampPath, 'utf8').catch(() => '')
  if (last === stamp && existsSync(join(ROOT, result))) return
  const { code, output } = await step(name, build)
  if (code !== 0) throw new Refusal(`${name} failed:\n${output.trim()}`)
  await mkdir(STAMPS, { recursive: true })
  await writeFile(stampPath, stamp)
}

async function hashOf(paths) {
  const hash = createHash('sha256').update(process.versions.node)
  for (const path of paths) {
    for (const file of await filesIn(path)) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  }
  return hash.digest('hex')
}

async function filesIn(path) {
  const entries = await readdir(join(ROOT, path), { withFileTypes: true }).catch(() => undefined)
  if (!entries) return [path]
  const names = entries.filter(({ name }) => !NOT_SOURCES.test(name))
  const files = await Promise.all(
    names
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => (entry.isDirectory() ? filesIn(`${path}/${entry.name}`) : [`${path}/${entry.name}`])),
  )
  return files.flat()
}
