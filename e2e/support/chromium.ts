import { existsSync } from 'node:fs'

const USUAL_PATHS = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The browser of the machine: `CHROMIUM_PATH`, or where it usually is. `npm test` installs it before when it can. */
export function chromiumPath(): string {
  const path = process.env.CHROMIUM_PATH ?? USUAL_PATHS.find(existsSync)
  if (path === undefined) throw new Error('no Chromium found: install it or set CHROMIUM_PATH')
  return path
}
