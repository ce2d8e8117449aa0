import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { CHROMIUM_ARGS, chromiumPath } from './support/chromium.ts'

// Workers load this file again: the folder is chosen once, by the first process.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'rif-e2e-'))
const port = Number(process.env.E2E_PORT ?? 18_090)
const baseURL = `http://localhost:${port}`

/** End-to-end tests in Chromium against the product as `npm start` runs it, on a local chain and database of its own. */
export default defineConfig({
  testDir: 'specs',
  outputDir: 'results',
  globalSetup: './support/setup.ts',
  timeout: 60_000,
  expect: { timeout: 15_000 },
  // No test needs what another one did, or is disturbed by it: see `ownPlace` and `signInAsDemo` in support/.
  fullyParallel: true,
  // Twice what the smallest machine has cores: a test waits for the chain and for the browser as much as it works.
  workers: 4,
  forbidOnly: true,
  reporter: process.env.CI ? [['list'], ['json', { outputFile: 'results/report.json' }]] : 'list',
  use: {
    baseURL,
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    timezoneId: 'UTC',
    // A click waits until what it is on stands still, and what moves is drawn sixty times a second: the tests of whole journeys
    // have motion (main-job.spec), the others look at what is there after it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // A trace films every test, which takes as much of the processor as the test itself: E2E_TRACE=on asks for it.
    trace: process.env.E2E_TRACE ? 'retain-on-failure' : 'off',
    // Each test has a browser of its own, in which the service worker would fetch and keep the 200 files of the whole app anew.
    // Where it is what a test is about, it is let in (states.spec).
    serviceWorkers: 'block',
    launchOptions: { executablePath: chromiumPath(), args: CHROMIUM_ARGS },
  },
  projects: [
    { name: 'main', testIgnore: /expiry|admin-pause|admin-analytics/ },
    // The first stops what the others need, for a moment; the second counts what the others make.
    { name: 'alone', testMatch: /admin-pause|admin-analytics/, dependencies: ['main'] },
    // Moves the chain's clock ahead, which cannot be undone: last.
    { name: 'expiry', testMatch: /expiry/, dependencies: ['alone'] },
  ],
  webServer: {
    command: 'node ../apps/server/dist/cli/rif.js start',
    url: `${baseURL}/ready`,
    timeout: 120_000,
    reuseExistingServer: !process.env.CI,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    // All visitors of these tests come from one address, and many of them are one member.
    env: {
      DATA_DIR: process.env.E2E_DATA_DIR,
      PORT: String(port),
      // One block more than the payment's own: what waits for it is still seen to wait, for a second instead of three.
      CONFIRMATIONS: '2',
      RATE_LIMIT_SIGN_IN: '10000',
      RATE_LIMIT_PER_IP: '100000',
      RATE_LIMIT_PER_MEMBER: '100000',
    },
  },
})
