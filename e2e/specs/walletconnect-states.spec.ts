import { findNothing, look, overflow } from '../support/inspect.ts'
import { expect } from '../support/product.ts'
import { chooseDistantWallet, PROVOKED, pairingCode, test } from '../support/walletconnect.ts'

test.use({ provoked: PROVOKED })

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
  await chooseDistantWallet(page)
  await expect(page.getByRole('dialog').getByRole('status')).toBeVisible()
  await page.clock.fastForward('00:16')
  await expect(page.getByText('The relay does not answer')).toBeVisible()
  isUp = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(pairingCode(page)).toBeVisible()
  await look(page, 'walletconnect-code')
  expect(await overflow(page)).toEqual([])
  await findNothing(page)
  await page.clock.fastForward('05:10')
  await expect(page.getByText('The code has expired')).toBeVisible()
  await page.context().setOffline(true)
  await expect(page.getByText('The code appears when you are online')).toBeVisible()
  await page.context().setOffline(false)
  await expect(pairingCode(page)).toBeVisible()
})
