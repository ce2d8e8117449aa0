import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, ROOT, run, step } from './steps.mjs'

/** Installs the exact packages of package-lock.json, unless they are installed, and meanwhile does `beside`, which needs none of them. */
export async function install(beside) {
  if (isInstalled()) return
  const ended = await Promise.allSettled([installPackages(), beside?.()])
  for (const { reason } of ended) if (reason) throw reason
}

async function installPackages() {
  process.stdout.write('Installing packages from npm; this is needed once and takes about half a minute.\n')
  // Not `npm ci`: it refuses a lock file without the packages of every other platform, which some registries
  // lack.
  const { code, output } = await step('packages', async () => {
    const first = await withAddresses(runNpm)
    return first.code === 0 ? first : runNpm()
  })
  if (code !== 0) throw new Refusal(`the packages cannot be installed: ${firstError(output)}`)
  if (!isInstalled())
    throw new Refusal('the installed packages are not those of package-lock.json: remove node_modules')
}

function runNpm() {
  const exact = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional']
  return run('npm', [...exact, '--prefer-offline', '--no-audit', '--no-fund'])
}

/**
 * Runs npm with a lock file that says where each package is in the registry of this machine. package-lock.json does not, so that it
 * holds for every registry; npm then reads the description of all versions of each package, which takes as long as all the rest.
 * A registry that keeps its files elsewhere answers with an error. npm prefers this file to package-lock.json.
 */
async function withAddresses(work) {
  const { output } = await run('npm', ['config', 'get', 'registry'])
  const registry = `${output.trim().replace(/\/$/, '')}/`
  if (!URL.canParse(registry)) return { code: 1 }
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    const [, installed] = /.*node_modules\/(.+)$/.exec(path) ?? []
    if (installed === undefined || entry.link || entry.resolved) continue
    const name = entry.name ?? installed
    entry.resolved = `${registry}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
  }
  const path = join(ROOT, 'npm-shrinkwrap.json')
  writeFileSync(path, JSON.stringify(lock))
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}

/** Returns the first error that npm printed. Hints and the path of its log follow the error. */
function firstError(output) {
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !/^npm error code/.test(line))
  return (lines[0] ?? output.trim()).replace(/^npm error\s*/, '')
}

/** Compares npm's record of the installed packages, which it writes last, with package-lock.json. */
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
