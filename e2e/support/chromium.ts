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

/** What Playwright switches off; another list of the same name takes the place of its own, so these are named again. */
const OFF_BY_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/**
 * The toolbar around a page, which nobody sees, is pages of its own, and each window starts a process for them; another
 * process is kept ready for a next site. Together they take as much of the processor as the page itself.
 */
const TOOLBAR_AND_SPARE = [
  ...['InitialWebUI', 'WebUIToolbar', 'WebUIReloadButton', 'WebUILocationBar', 'PreloadTopChromeWebUI'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
]

/** How the tests start Chromium. */
export const CHROMIUM_ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...TOOLBAR_AND_SPARE].join(',')}`,
]
