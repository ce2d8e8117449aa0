import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, ROOT, run, step } from './steps.mjs'

/** Installs the exact packages of package-lock.json, unless they are installed. */
export async function install() {
  if (isInstalled()) return
  process.stdout.write('Installing packages from npm; this is needed once and takes about half a minute.\n')
  // Not `npm ci`: it refuses a lock file without the programs of every other platform, which some registries lack.
  // No install scripts: the programs that the packages bring are used as they come.
  const exact = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional']
  const { code, output } = await step('packages', () => run('npm', [...exact, '--no-audit', '--no-fund']))
  if (code !== 0) throw new Refusal(`the packages cannot be installed: ${firstError(output)}`)
  if (!isInstalled())
    throw new Refusal('the installed packages are not those of package-lock.json: remove node_modules')
}

/** Returns the first error that npm printed. Hints and the path of its log follow it. */
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
