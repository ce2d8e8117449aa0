import { existsSync } from 'node:fs'
import { aptInstall, canInstall } from './debian.mjs'
import { missingFonts } from './fonts.mjs'
import { Refusal } from './steps.mjs'

/** Chromium without windows and cameras, from Debian's package of that name. It takes two thirds of the processor time. */
const HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell'
const PROGRAMS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Returns the path of Chromium, `CHROMIUM_PATH` first, or undefined if none is installed. */
export function findChromium() {
  return process.env.CHROMIUM_PATH || PROGRAMS.find(existsSync)
}

/** Returns the path of the headless shell of Chromium, or undefined if it is not installed or CHROMIUM_PATH is set. */
export function findHeadlessShell() {
  return !process.env.CHROMIUM_PATH && existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : undefined
}

/**
 * Installs Chromium, its headless shell and the fonts of the end-to-end tests where they are missing. Throws a Refusal without
 * Chromium. The shell is optional, as not every system has a package of it.
 */
export async function installChromium() {
  const missing = missingFonts()
  if (!findChromium()) missing.push('chromium')
  const isWithoutShell = !process.env.CHROMIUM_PATH && findHeadlessShell() === undefined
  if (canInstall() && (missing.length > 0 || isWithoutShell)) {
    const optional = isWithoutShell ? ['chromium-headless-shell'] : []
    await aptInstall('browser', missing, optional)
  } else if (missing.some((name) => name !== 'chromium')) {
    process.stdout.write(`Not installed, so the end-to-end tests use other fonts: ${missing.join(', ')}\n`)
  }
  const path = findChromium()
  if (!path) throw new Refusal('the end-to-end tests need Chromium: install it, or set CHROMIUM_PATH to it')
  if (!existsSync(path)) throw new Refusal(`CHROMIUM_PATH ${path} does not exist`)
}
