import type { Page } from '@playwright/test'
import { encodeFunctionData, type Hex, numberToHex, parseAbi, parseEther, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { approve, prepare } from '../support/admins.ts'
import { audit } from '../support/books.ts'
import type { Chain } from '../support/chain.ts'
import { asOwner } from '../support/database.ts'
import { lookAtAll } from '../support/inspect-all.ts'
import { api, expect, post, signInAsDemo, test } from '../support/product.ts'
import { inAnotherTab } from '../support/screens.ts'

// Each closes the gate, which the other one needs open, so they run one after the other.
test.describe.configure({ mode: 'default' })

const SHORT = 'The bank holds less than it should.'
const DIFFERENCE = 'The books show a difference. Two admins check it first.'
const TRANSFER = parseAbi(['function transfer(address to, uint256 amount)'])

/** Moves USDT between accounts without the sender's key, which only a test chain allows. */
async function moveUsdt(chain: Chain, from: Hex, to: Hex, amount: bigint): Promise<void> {
  const data = encodeFunctionData({ abi: TRANSFER, functionName: 'transfer', args: [to, amount] })
  await chain.rpc('anvil_impersonateAccount', [from])
  await chain.rpc('anvil_setBalance', [from, numberToHex(parseEther('1'))])
  const hash = await chain.rpc('eth_sendTransaction', [{ from, to: chain.contracts.usdt, data }])
  await expect.poll(async () => (await chain.receipt(hash as Hex))?.status).toBe('success')
  await chain.rpc('anvil_stopImpersonatingAccount', [from])
  await chain.finalise()
}

/** Changes a balance without the checks of the database, as its owner's login can. */
const tamper = (by: number) =>
  asOwner(`update ledger_heads set balances[1] = balances[1] + ${by} where member_id = (
    select min(member_id) from ledger_balances where account = 'available' and asset = 'USDT')`)

const refusal = async (page: Page, to: Hex) =>
  post<{ error?: string }>(page, 'transfer', { address: to, asset: 'USDT', amount: '1' })
const guardCard = (page: Page) => page.locator('section').filter({ hasText: 'The guard stops payments' })
const ready = async (page: Page) => (await page.request.get('/ready')).status()

test('the bank is short: the gate closes, the screens say so, a voucher signed before is paid, and it opens with the money', async ({
  visitor,
  chain,
}) => {
  const { bank } = chain.contracts
  const member = await signInAsDemo(visitor, 'Ann')
  const { address: friend } = await signInAsDemo(visitor, 'Ruth')
  const withdrawal = await post<{ withdraw_id: string; status: string }>(member.page, 'withdraw', {
    asset: 'USDT',
    amount: '15',
  })
  expect(withdrawal.status).toBe('Withdrawable')
  let voucher: Hex = '0x'
  await expect(async () => {
    voucher = (await api<{ tx: Hex }>(member.page, `withdraw/claim/${withdrawal.withdraw_id}`)).tx
    expect(voucher).toMatch(/^0x/)
  }).toPass()

  const bankUsdt = (await chain.balances(bank)).usdt
  const thief = privateKeyToAccount(await chain.newWallet()).address
  const taken = bankUsdt - 100_000_000n
  await moveUsdt(chain, bank, thief, taken)
  await member.page.goto('/')
  const bar = member.page.getByRole('status').filter({ hasText: SHORT })
  await expect(bar).toContainText(/Paused since \d/)
  expect(await refusal(member.page, friend)).toMatchObject({ error: 'GUARD_CLOSED' })
  expect(await ready(member.page)).toBe(200)
  const operator = await signInAsDemo(visitor, 'Paul', '/pages/admin/emergency')
  await expect(guardCard(operator.page)).toContainText('the bank holds 100.000000 USDT')
  await expect(guardCard(operator.page).getByRole('button')).toBeHidden()
  await lookAtAll(member.page, 'guard-closed', await inAnotherTab(member.page))

  const again = await api<{ tx: Hex }>(member.page, `withdraw/claim/${withdrawal.withdraw_id}`)
  expect(again.tx).toBe(voucher)
  const { to, data } = parseTransaction(voucher)
  const account = privateKeyToAccount(member.key)
  const before = await chain.balances(member.address)
  const nonce = await chain.nonce(member.address)
  const hash = await chain.signAndSend(account, { to: to!, data: data!, nonce })
  await expect.poll(async () => (await chain.receipt(hash))?.status).toBe('success')
  expect((await chain.balances(member.address)).usdt).toBeGreaterThan(before.usdt)

  await moveUsdt(chain, thief, bank, taken)
  await expect(member.page.getByText(SHORT)).toBeHidden()
  expect((await refusal(member.page, friend)).error).not.toBe('GUARD_CLOSED')
  expect(await audit()).toContain('The books agree.')
})

test('a tampered posting closes the gate until two admins clear it', async ({ visitor }) => {
  const member = await signInAsDemo(visitor, 'Ann')
  const { address: friend } = await signInAsDemo(visitor, 'Ruth')
  await tamper(5)
  expect(await audit()).toMatch(/balance: member \d+ USDT available/)
  await member.page.goto('/')
  await expect(member.page.getByText(DIFFERENCE)).toBeVisible()
  expect(await refusal(member.page, friend)).toMatchObject({ error: 'GUARD_CLOSED' })

  // Repaired, and still closed, because people must have reviewed it.
  await tamper(-5)
  expect(await audit()).toContain('The books agree.')
  expect(await refusal(member.page, friend)).toMatchObject({ error: 'GUARD_CLOSED' })
  const operator = await signInAsDemo(visitor, 'Paul', '/pages/admin/emergency')
  await expect(guardCard(operator.page)).toContainText('differences; balance: member')
  await lookAtAll(operator.page, 'guard-difference', await inAnotherTab(operator.page))
  await guardCard(operator.page).getByRole('button', { name: 'Propose to clear the differences' }).click()
  await prepare(operator.page, 'the balance was changed by hand and is repaired')
  expect(await refusal(member.page, friend)).toMatchObject({ error: 'GUARD_CLOSED' })
  const vera = await signInAsDemo(visitor, 'Vera')
  await approve(vera.page, 'the balance was changed by hand')
  expect((await refusal(member.page, friend)).error).not.toBe('GUARD_CLOSED')
  await expect(member.page.getByText(DIFFERENCE)).toBeHidden()
})
