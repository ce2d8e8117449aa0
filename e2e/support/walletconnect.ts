import { expect, type Page } from '@playwright/test'
import { test as base } from './product.ts'
import { type Relay, startRelay } from './relay.ts'

/** The library rejects promises that nobody waits for when the device loses its connection. */
export const PROVOKED = [/WebSocket connection to|ERR_INTERNET_DISCONNECTED|No internet connection detected/]

interface RelayFixtures {
  /** The address of the relay that the product names. */
  relayUrl: string
  /** Runs during every test. */
  relay: Relay
}

/** Tests with a relay of their own. */
export const test = base.extend<RelayFixtures>({
  relayUrl: ({ baseURL }, use) => use(`ws://localhost:${Number(new URL(baseURL!).port) + 700}`),
  relay: [
    async ({ relayUrl }, use) => {
      const relay = await startRelay(relayUrl)
      await use(relay)
      await relay.close()
    },
    { auto: true },
  ],
})

/** Chooses a wallet on another device, on the login page. */
export async function chooseDistantWallet(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: /^Another wallet/ }).click()
}

/** Returns the code that a wallet scans. */
export const pairingCode = (page: Page) => page.getByRole('img', { name: 'QR code for your wallet' })

/** Returns the link that the page copies for a wallet. */
export async function linkOf(page: Page): Promise<string> {
  await expect(pairingCode(page)).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy the link for a wallet' }).click()
  return page.evaluate(() => navigator.clipboard.readText())
}
