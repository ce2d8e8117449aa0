import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { launchOptions } from './support/chromium.ts'
import { firefoxOptions } from './support/firefox.ts'
import { PRICE_FEED } from './support/price-feed.ts'
import { PRICE_ORACLE } from './support/price-oracle.ts'

// Workers load this file again, so the first process chooses the folder for all.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'rif-e2e-'))
const port = Number(process.env.E2E_PORT ?? 18_090)
const baseURL = `http://localhost:${port}`

/** End-to-end tests in Chromium against the product as `npm start` runs it, on a local chain and database of its own. */
export default defineConfig({
  testDir: 'specs',
  // Two runs at once have a folder each, which each of them empties first.
  outputDir: `results/${port}`,
  globalSetup: './support/setup.ts',
  // Timeouts only find what hangs. They are more than ten times what the longest test takes on a quiet machine.
  timeout: (process.env.E2E_WHOLE ? 60 : 15) * 60_000,
  expect: { timeout: 120_000, toPass: { timeout: 120_000 } },
  // No test depends on another one: see `ownPlace` and `signInAsDemo` in support/.
  fullyParallel: true,
  // The smallest machine has two cores, which three tests use whole: each waits for the chain and the server at times.
  workers: 3,
  forbidOnly: true,
  // `npm test` leaves out what only `npm run test:full` runs, also in projects that others depend on.
  ...(process.env.E2E_LEVEL === 'usual' && { grepInvert: /@full/ }),
  reporter: process.env.CI ? [['list'], ['json', { outputFile: 'results/report.json' }]] : 'list',
  use: {
    baseURL,
    actionTimeout: 120_000,
    navigationTimeout: 120_000,
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // A click waits until its target stops moving. The tests of whole journeys have motion (main-job.spec), the others have none.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace takes as much of the processor as the test itself: E2E_TRACE=on records one.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    // Each test has its own browser context, in which the service worker would fetch the 200 files of the whole app.
    // The tests of the service worker allow it (states.spec).
    serviceWorkers: 'block',
    launchOptions: launchOptions(),
  },
  projects: [
    {
      name: 'main',
      testIgnore:
        /guard|recovery|exits|hand-over|admin-pause|admin-prices|admin-analytics|admin-treasury|former-bank|fonts|firefox|walletconnect-states/,
    },
    // The main project has glyphs of every language at hand, this one has none of Chinese, Japanese and Korean.
    { name: 'dejavu', testMatch: /fonts/, use: { launchOptions: launchOptions({ fonts: 'dejavu' }) } },
    // The first pauses what the others need, the second changes a price, the third counts what the others create: in `npm run test:full`
    // they have a product of their own. `npm test` runs one of them, which leaves everything as it was.
    {
      name: 'alone',
      testMatch: /admin-pause|admin-prices|admin-analytics/,
      dependencies: ['main', 'dejavu'],
    },
    // From here on: `npm run test:full`.
    { name: 'walletconnect', testMatch: /walletconnect-states/ },
    // Stops all payments.
    { name: 'guard', testMatch: /guard/, dependencies: ['walletconnect'] },
    // Takes blocks from the chain that the others rely on.
    { name: 'recovery', testMatch: /recovery/, dependencies: ['guard'] },
    // Moves the chain's clock days ahead: no quote holds any more, so nothing can be bought on chain.
    { name: 'exits', testMatch: /exits/, dependencies: ['recovery'] },
    // What comes before the end of a bank: a wallet that exits go to, and a successor that waits.
    { name: 'successor', testMatch: /admin-treasury|former-bank/ },
    // Closes the bank, and needs a chain whose clock is right.
    { name: 'hand-over', testMatch: /hand-over/, dependencies: ['successor'] },
    // Debian's own Firefox, by WebDriver BiDi.
    { name: 'firefox', testMatch: /firefox/, use: firefoxOptions() },
  ],
  webServer: {
    command: `"${process.execPath}" ../apps/server/src/cli/rif.ts start`,
    url: `${baseURL}/ready`,
    timeout: 15 * 60_000,
    reuseExistingServer: !process.env.CI,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 60_000 },
    // All visitors of these tests share one address, and many of them are one member.
    env: {
      DATA_DIR: process.env.E2E_DATA_DIR,
      PORT: String(port),
      // The relay that walletconnect.spec starts.
      WALLETCONNECT: JSON.stringify({
        project_id: 'end-to-end-tests',
        relay_url: `ws://localhost:${port + 700}`,
      }),
      // One block after the payment's own, so that the wait lasts one second instead of three.
      CONFIRMATIONS: '2',
      // The test of prices deploys the oracle.
      PRICES: JSON.stringify({ feeds: [PRICE_FEED], oracles: [PRICE_ORACLE] }),
      // The mail server of the test of notices listens there.
      MAIL: JSON.stringify({
        server: `smtp://127.0.0.1:${port + 1000}`,
        notices: { from: 'notices@rif.test' },
      }),
      OUTGOING_LOCAL_HOSTS: 'localhost',
      RATE_LIMITS: JSON.stringify({ address: 100_000, member: 100_000, sign_in: 10_000 }),
    },
  },
})
