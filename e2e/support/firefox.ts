import { fileURLToPath } from 'node:url'
import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test'
import { findFirefox } from '../../scripts/lib/firefox.mjs'

/**
 * Returns how the tests start Firefox. The channel makes Playwright speak WebDriver BiDi to the Firefox of the system
 * instead of its own protocol to a Firefox that it has changed.
 */
export function firefoxOptions(): Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> {
  const config = fileURLToPath(new URL('fonts/noto.conf', import.meta.url))
  return {
    browserName: 'firefox',
    channel: 'moz-firefox',
    // Playwright hides the caret by a style that the page's policy forbids, which Firefox reports as an error of the page.
    screenshot: 'off',
    launchOptions: {
      executablePath: fileURLToPath(new URL('firefox-relay.mjs', import.meta.url)),
      env: { ...process.env, FONTCONFIG_FILE: config, FIREFOX: findFirefox() ?? '' } as Record<
        string,
        string
      >,
    },
  }
}
