import type { Page } from '@playwright/test'
import { encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { look } from '../support/inspect.ts'
import { expect, refuse, test } from '../support/product.ts'

const FRIEND = '0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B'

/** A search for what took the place of a transaction waits for the member's budget of reads, which is renewed each minute. */
const BUDGET_OF_READS = { timeout: 10 * 60_000 }

const CONTRACT = 'This is a contract: what is sent there is lost'

async function fill(
  page: Page,
  asset: string,
  to: string,
  amount: string,
  remark: string | RegExp = /A registered member|Not a member here/,
): Promise<void> {
  await page.goto('/pages/localWallet/transaction')
  await page.getByText(asset, { exact: true }).first().click()
  await page.getByLabel('Receiver').fill(to)
  await expect(page.getByText(remark)).toBeVisible()
  await page.getByLabel('Amount').fill(amount)
  await page.getByRole('button', { name: /^(Continue|Send \d)/ }).click()
}

const send = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send \d/ })
    .click()
const isFinal = (page: Page) => expect(page.getByRole('status').getByText('Final')).toBeVisible()

test('the wallet shows its balances, receives, and sends to any address and to members', async ({
  chain,
  member,
}) => {
  const friend = await member()
  const { page, wallet } = await member({ usdt: '20', amc: '10' })
  const answer = await refuse(page, 'local-wallet/history?*')
  await page.goto('/pages/localWallet/index')
  await expect(page.getByText('20.00').first()).toBeVisible()
  await expect(page.getByText('Could not load')).toBeVisible()
  await look(page, 'wallet-unread')
  // A tap asks again. The page does so by itself, too: once it is answered, there may be nothing left to tap.
  const reload = page.getByRole('button', { name: 'Tap to reload' })
  const historyRequest = page.waitForRequest('**/api/v1/local-wallet/history?*')
  await reload.click()
  await historyRequest
  await answer()
  await expect(async () => {
    // At once, because the page can take the button away between a look and a click.
    await reload.evaluateAll((buttons) => {
      for (const button of buttons) (button as HTMLElement).click()
    })
    expect(await page.getByText('Could not load').isVisible()).toBe(false)
  }).toPass()
  await look(page, 'wallet-index')
  await page.getByRole('button', { name: 'Receive' }).click()
  await expect(page.getByRole('img', { name: 'QR code of your address' })).toBeVisible()
  await look(page, 'wallet-receive')

  await page.goto('/pages/localWallet/transaction')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('please enter address')).toBeVisible()
  await fill(page, 'USDT', chain.contracts.usdt, '1', CONTRACT)
  await expect(page.getByText(CONTRACT)).toBeVisible()
  await fill(page, 'USDT', FRIEND, '21')
  await expect(page.getByText('1.00 more than is available.')).toBeVisible()

  // All of the ether leaves room for the fee of sending it.
  await page.goto('/pages/localWallet/transaction')
  await page.getByText('ETH', { exact: true }).first().click()
  await page.getByRole('button', { name: 'Max' }).click()
  const most = Number(await page.getByLabel('Amount').inputValue())
  expect(most).toBeGreaterThan(0)
  expect(parseUnits(`${most}`, 18)).toBeLessThan(await chain.ether(wallet.address))

  await fill(page, 'ETH', FRIEND, '0.25')
  wallet.refuseNext('eth_sendTransaction')
  await send(page)
  await expect(page.getByText('You refused in the wallet. Nothing was done.')).toBeVisible()
  await look(page, 'wallet-send-sheet')
  await send(page)
  await expect(page).toHaveURL(/localWallet\/result/)
  await chain.finalise()
  await isFinal(page)
  await look(page, 'wallet-result')

  await fill(page, 'USDT', friend.wallet.address, '5')
  await send(page)
  await expect(page).toHaveURL(/localWallet\/result/)
  await chain.finalise()
  await isFinal(page)
  expect((await chain.balances(friend.wallet.address)).usdt).toBe(parseUnits('5', 6))
  await friend.page.goto('/pages/localWallet/list')
  await expect(friend.page.getByText('+5.00')).toBeVisible()

  await page.goto('/pages/localWallet/list')
  const [ether, usdt] = ['−0.25', '−5.00'].map((amount) => page.getByText(amount))
  for (const each of [ether!, usdt!]) await expect(each).toBeVisible()
  await look(page, 'wallet-list')
  await page.getByRole('group', { name: 'Asset' }).getByText('ETH', { exact: true }).click()
  await expect(page).toHaveURL('/pages/localWallet/list?asset=ETH')
  await expect(usdt!).toHaveCount(0)
  await expect(ether!).toBeVisible()
  await page.getByRole('group', { name: 'Direction' }).getByText('Received', { exact: true }).click()
  await expect(page.getByText('Nothing like this yet')).toBeVisible()
  await page.goto('/pages/localWallet/withdrawal')
  await page.getByRole('link', { name: 'Go on to the withdrawal' }).click()
  await expect(page).toHaveURL('/pages/withdrawal/index')
})

test('a send is tracked when it is sped up, cancelled and refused by the chain; an invalid one is reported', {
  tag: '@full',
}, async ({ chain, member }) => {
  const { page, wallet, key } = await member({ usdt: '20', amc: '10' })
  await fill(page, 'USDT', FRIEND, '2')
  wallet.replaceNext('speedUp')
  await send(page)
  await expect(page).toHaveURL(/localWallet\/result/)
  await chain.finalise()
  await isFinal(page)
  // The page received the first hash, and shows the one that took effect.
  const [first, second] = wallet.sent.slice(-2)
  expect(new URL(page.url()).searchParams.get('tx_hash')).toBe(first!.hash)
  await expect(page.getByText(second!.hash.slice(0, 6))).toBeVisible()

  await fill(page, 'USDT', FRIEND, '3')
  // The tokens are gone when the transaction reaches its block.
  wallet.meanwhile(async () => {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transfer',
      args: [FRIEND, parseUnits('17', 6)],
    })
    const nonce = await chain.nonce(wallet.address)
    await chain.signAndSend(privateKeyToAccount(key), { to: chain.contracts.usdt, data, nonce })
  })
  await send(page)
  await expect(page).toHaveURL(/localWallet\/result/)
  await chain.finalise()
  await expect(page.getByRole('status').getByText('Failed')).toBeVisible()
  await expect(page.getByText('The chain refused it. Nothing arrived')).toBeVisible()
  await look(page, 'wallet-result-failed')

  // Cancelled in the wallet: the page says so, and nothing arrives.
  await fill(page, 'AMC', FRIEND, '3')
  wallet.replaceNext('cancel')
  await send(page)
  await expect(page).toHaveURL(/localWallet\/result/)
  await chain.finalise()
  await expect(page.getByRole('status').getByText('Replaced')).toBeVisible(BUDGET_OF_READS)
  await expect(page.getByText('Another transaction took its place in your wallet')).toBeVisible()
  await look(page, 'wallet-result-replaced')
  await page.goto('/pages/localWallet/list')
  await expect(page.getByText('−3.00')).toBeVisible()

  await page.goto(`/pages/localWallet/result?tx_hash=0x${'ab'.repeat(32)}`)
  await expect(page.getByText('This transaction is not known here')).toBeVisible()
  for (const [to, amount, problem] of [
    [wallet.address, '1', 'This is your own wallet'],
    [FRIEND, '0', 'Please enter a valid amount'],
    [FRIEND, '', 'please enter amount'],
  ] as const) {
    await fill(page, 'AMC', to, amount)
    await expect(page.getByText(problem, { exact: true })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.getByLabel('Receiver').fill(FRIEND.replace('A', 'a'))
  await expect(page.getByText('Invalid address')).toBeVisible()
})
