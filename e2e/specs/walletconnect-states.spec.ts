import type { Page } from '@playwright/test'
import { findNothing, look, overflow } from '../support/inspect.ts'
import { expect, test } from '../support/product.ts'
import { type Relay, startRelay } from '../support/relay.ts'

// The library rejects promises that nobody waits for when the device loses its connection.
test.use({
  provoked: [/WebSocket connection to|ERR_INTERNET_DISCONNECTED|No internet connection detected/],
})

let relay: Relay
const relayUrl = () => {
  const url = new URL(test.info().project.use.baseURL!)
  return `ws://localhost:${Number(url.port) + 700}`
}
test.beforeAll(async () => {
  relay = await startRelay(relayUrl())
})
test.afterAll(() => relay.close())

const choose = async (page: Page) => {
  await page.getByRole('button', { name: 'Connect wallet' }).click()
  await page.getByRole('button', { name: /^Another wallet/ }).click()
}
const code = (page: Page) => page.getByRole('img', { name: 'QR code for your wallet' })

test('says what it waits for and what went wrong: relay unreachable, code expired, offline', async ({
  visitor,
}) => {
  const { page } = await visitor()
  let isUp = false
  await page.routeWebSocket(/^ws:\/\/localhost/, (socket) => {
    if (isUp) socket.connectToServer()
    else void socket.close()
  })
  await page.clock.install()
  await page.goto('/pages/login/index')
  await choose(page)
  await expect(page.getByRole('dialog').getByRole('status')).toBeVisible()
  await page.clock.fastForward('00:16')
  await expect(page.getByText('The relay does not answer')).toBeVisible()
  isUp = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(code(page)).toBeVisible()
  await look(page, 'walletconnect-code')
  expect(await overflow(page)).toEqual([])
  await findNothing(page)
  await page.clock.fastForward('05:10')
  await expect(page.getByText('The code has expired')).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText('The code appears when you are online')).toBeVisible()
  await page.context().setOffline(false)
  await expect(code(page)).toBeVisible()
})
