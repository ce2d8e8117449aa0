import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal, ROOT, run, step } from './steps.mjs'

/** Scripts of packages do not run; those that are needed run when a program is first used. */
const EXACT = ['--ignore-scripts', '--include=optional', '--prefer-offline', '--no-audit', '--no-fund']

/**
 * Installs the exact packages of package-lock.json, unless they are installed, and meanwhile does `beside`, which needs none of them.
 * Without `toDevelop` these are the dependencies alone, with which the product is built and runs.
 */
export async function install({ toDevelop, beside }) {
  if (isInstalled(toDevelop)) return
  const ended = await Promise.allSettled([installPackages(toDevelop), beside?.()])
  for (const { reason } of ended) if (reason) throw reason
}

async function installPackages(toDevelop) {
  process.stdout.write('Installing packages from npm; this is needed once and takes about a minute.\n')
  // Packages are only added to those that a running product uses.
  const command = isInstalled(false) ? ['install', '--no-save'] : ['ci']
  const dev = toDevelop ? '--include=dev' : '--omit=dev'
  const { code, output } = await step('packages', () => run('npm', [...command, dev, ...EXACT]))
  if (code !== 0) throw new Refusal(`the packages cannot be installed: ${firstError(output)}`)
  if (!isInstalled(toDevelop))
    throw new Refusal('the installed packages are not those of package-lock.json: remove node_modules')
}

/** Returns the first error that npm printed. Hints and the path of its log follow the error. */
function firstError(output) {
  const lines = output
    .split('\n')
    .filter((line) => line.startsWith('npm error') && !/^npm error code/.test(line))
  return (lines[0] ?? output.trim()).replace(/^npm error\s*/, '')
}

/** Compares npm's record of the installed packages, which it writes last, with package-lock.json. */
function isInstalled(toDevelop) {
  const read = (path) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages
  if (!existsSync(join(ROOT, 'node_modules', '.package-lock.json'))) return false
  const installed = read('node_modules/.package-lock.json')
  return Object.entries(read('package-lock.json')).every(([path, wanted]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    if (wanted.dev && !toDevelop) return true
    const installedPackage = installed[path]
    if (!installedPackage) return wanted.optional === true
    return installedPackage.version === wanted.version && installedPackage.integrity === wanted.integrity
  })
}
