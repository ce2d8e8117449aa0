import type { Withdrawal } from '@rif/api-schema'
import { parseUnits } from 'viem'
import { startDistantWallet } from '../support/distant-wallet.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { findNothing, look, overflow } from '../support/inspect.ts'
import { api, expect, give, loginPath, post } from '../support/product.ts'
import { runningProduct } from '../support/running.ts'
import { chooseDistantWallet, linkOf, PROVOKED, pairingCode, test } from '../support/walletconnect.ts'

test.use({ provoked: PROVOKED })
// The product names one relay, which each test starts at the same address.
test.describe.configure({ mode: 'default' })

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

test('a wallet on another device claims a withdrawal and buys a fund product', async ({
  chain,
  visitor,
  relayUrl,
}) => {
  const { page, key, wallet: injected } = await visitor({ usdt: '250' })
  const wallet = await startDistantWallet(relayUrl, chain, key)
  await page.goto(await loginPath())
  await chooseDistantWallet(page)
  await wallet.pair(await linkOf(page))
  await expect(page).toHaveURL('/')

  await give(wallet.address, 'USDT', '3')
  const withdrawal = await post<Withdrawal>(page, 'withdraw', { asset: 'USDT', amount: '3' })
  await page.goto(`/pages/withdrawal/detail?withdraw_id=${withdrawal.withdraw_id}`)
  wallet.refuseNext('eth_sendTransaction')
  await page.getByRole('button', { name: /^Claim / }).click()
  await expect(page.getByText('You refused in the wallet. Nothing was done.')).toBeVisible()
  expect((await chain.balances(wallet.address)).usdt).toBe(parseUnits('250', 6))
  await page.getByRole('button', { name: 'Go on' }).click()
  const status = async () => (await api<Withdrawal>(page, `withdraw/${withdrawal.withdraw_id}`)).status
  await expect.poll(status).toBe('Success')
  expect((await chain.balances(wallet.address)).usdt).toBe(parseUnits('252', 6))

  const name = `Distant Fund ${Date.now()}`
  const [opened] = await fundAdmins(runningProduct(), [{ do: 'open', name, nav: '10' }])
  await page.goto(`/pages/found/buy?product_id=${opened!.productId}`)
  await page.getByLabel('Units', { exact: true }).fill('6')
  await page.getByText('My wallet').click()
  await page.getByRole('button', { name: /^(Continue|Buy \d)/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Pay 60.60 USDT/ })
    .click()
  await expect(page.getByText(`6 units of ${name} are yours`)).toBeVisible()
  expect((await chain.balances(wallet.address)).usdt).toBe(parseUnits('191.4', 6))
  expect(injected.calls('eth_sendTransaction')).toEqual([])
  await wallet.close()
})
