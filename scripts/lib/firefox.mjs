import { existsSync } from 'node:fs'
import { aptInstall, canInstall } from './debian.mjs'
import { missingFonts } from './fonts.mjs'
import { Refusal } from './steps.mjs'

const PROGRAMS = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
]

/** Returns the path of Firefox, `FIREFOX_PATH` first, or undefined if none is installed. */
export function findFirefox() {
  return process.env.FIREFOX_PATH || PROGRAMS.find(existsSync)
}

/** Installs Debian's Firefox and the fonts of the end-to-end tests where they are missing. Throws a Refusal without Firefox. */
export async function installFirefox() {
  const missing = missingFonts()
  if (!findFirefox()) missing.push('firefox-esr')
  if (canInstall() && missing.length > 0) await aptInstall('browser', missing)
  const path = findFirefox()
  if (!path) throw new Refusal('these tests need Firefox: install it, or set FIREFOX_PATH to it')
  if (!existsSync(path)) throw new Refusal(`FIREFOX_PATH ${path} does not exist`)
}
