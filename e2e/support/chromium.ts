import { fileURLToPath } from 'node:url'
import type { LaunchOptions } from '@playwright/test'
import { findChromium, findHeadlessShell } from '../../scripts/lib/chromium.mjs'

/** The features that Playwright disables. A second list of this name replaces its own, so they are repeated here. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/**
 * The browser's toolbar consists of pages, for which each window starts a process; another process is kept ready for the
 * next site. Together they use as much of the processor as the page itself.
 */
const TOOLBAR_AND_SPARE = [
  'InitialWebUI',
  'WebUIToolbar',
  'WebUIReloadButton',
  'WebUILocationBar',
  'PreloadTopChromeWebUI',
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
]

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...TOOLBAR_AND_SPARE].join(',')}`,
]

/**
 * Returns how the tests start Chromium: with the fonts of one family only, where fontconfig chooses them, so that the
 * result does not depend on those that the machine happens to have. `camera` holds the arguments of a simulated camera, which only
 * the whole Chromium has.
 */
export function launchOptions({
  fonts = 'noto',
  camera,
}: {
  fonts?: 'dejavu' | 'noto'
  camera?: string[]
} = {}): LaunchOptions {
  const executablePath = camera === undefined ? (findHeadlessShell() ?? findChromium()) : findChromium()
  const config = fileURLToPath(new URL(`fonts/${fonts}.conf`, import.meta.url))
  return {
    ...(executablePath !== undefined && { executablePath }),
    args: [...ARGS, ...(camera ?? [])],
    env: { ...process.env, FONTCONFIG_FILE: config } as Record<string, string>,
  }
}
