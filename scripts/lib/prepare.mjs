import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nodeProgram, Refusal, ROOT, run, step } from './steps.mjs'
import { buildVerifier, VERIFIER } from './verifier.mjs'

const STAMP = join(ROOT, 'node_modules', '.cache', 'rif', 'build-app')
const APP = join(ROOT, 'apps', 'web')
const DIST = join(APP, 'dist')
/** The files that the app is built from. Tests are excluded. The server runs from its sources. */
const SOURCES = ['package-lock.json', 'tsconfig.base.json', 'packages', 'contracts/generated', 'apps/web']
const NOT_SOURCES = /(^|\/)(node_modules|dist|testing|\.[^/]*)$|\.test\.tsx?$/

/**
 * Builds the app, if it is missing or has changed, and meanwhile does `beside`, which needs no build. Throws a Refusal with the output
 * of a build that failed.
 */
export async function prepare(beside) {
  const stamp = await hashOf(SOURCES)
  const last = await readFile(STAMP, 'utf8').catch(() => '')
  if (last === stamp && ['index.html', VERIFIER].every((file) => existsSync(join(DIST, file)))) return
  await Promise.all([build(stamp, beside === undefined), beside?.()])
}

async function build(stamp, isAlone) {
  const { code, output } = await step('build app', buildApp, { isAlone })
  if (code !== 0) throw new Refusal(`build app failed:\n${output.trim()}`)
  await mkdir(dirname(STAMP), { recursive: true })
  await writeFile(STAMP, stamp)
}

/** Builds the app and, beside it, the verifier of solvency reports. */
async function buildApp() {
  const app = await run(process.execPath, [nodeProgram('vite/bin/vite.js'), 'build'], { cwd: APP })
  return app.code === 0 ? buildVerifier(DIST) : app
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
