import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeProgram, Refusal, ROOT, requireNode, run, step } from './steps.mjs'

const STAMPS = join(ROOT, 'node_modules', '.cache', 'rif')
const SHARED = ['package-lock.json', 'tsconfig.base.json', 'packages', 'contracts/generated']

/** What is built, from what, and how. Tests are no part of it. */
const BUILDS = [
  {
    name: 'build server',
    sources: [...SHARED, 'apps/server/src', 'apps/server/tsconfig.json'],
    result: 'apps/server/dist/cli/rif.js',
    build: () => run(process.execPath, [nodeProgram('typescript/bin/tsc'), '-b', 'apps/server']),
  },
  {
    name: 'build app',
    sources: [...SHARED, 'apps/web'],
    result: 'apps/web/dist/index.html',
    build: () =>
      run(process.execPath, [nodeProgram('vite/bin/vite.js'), 'build'], { cwd: join(ROOT, 'apps', 'web') }),
  },
]
const NOT_SOURCES = /(^|\/)(node_modules|dist|testing|\.[^/]*)$|\.test\.tsx?$/

/** Installs and builds what is missing or has changed. Throws Refusal with what a failed program said. */
export async function prepare() {
  requireNode()
  await install()
  for (const build of BUILDS) await buildIfChanged(build)
}

/** Installs the exact packages of package-lock.json, unless they are there. */
export async function install() {
  if (isInstalled()) return
  process.stdout.write('Installing packages from npm; this is needed once and takes about half a minute.\n')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  // Not `npm ci`: that refuses a lock file without the programs of every other platform, which some registries lack.
  // No install scripts: the programs that the packages bring are used as they come.
  const exact = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional']
  const args = [...exact, '--no-audit', '--no-fund']
  const { code, output } = await step('packages', () => run(npm, args))
  if (code !== 0) throw new Refusal(`the packages cannot be installed: ${firstError(output)}`)
  if (!isInstalled())
    throw new Refusal('the installed packages are not those of package-lock.json: remove node_modules')
}

/** What npm says first is the reason; then follow hints and its own log. */
function firstError(output) {
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !/^npm error code/.test(line))
  return (lines[0] ?? output.trim()).replace(/^npm error\s*/, '')
}

/** npm writes what it has installed last of all, so a broken installation has no such file or another one. */
function isInstalled() {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages
  if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) return false
  const installed = read('node_modules/.package-lock.json')
  return Object.entries(read('package-lock.json')).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    const found = installed[path]
    if (!found) return wanted.optional === true
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
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
