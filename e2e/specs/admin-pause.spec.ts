import type { Page } from '@playwright/test'
import type { AppConfig, Withdrawal } from '@rif/api-schema'
import {
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseTransaction,
  parseUnits,
  toFunctionSelector,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { approve, prepare } from '../support/admins.ts'
import { isThere, look, reloadUntil } from '../support/inspect.ts'
import { lookAtAll } from '../support/inspect-all.ts'
import {
  api,
  demoKey,
  expect,
  type Fixtures,
  give,
  post,
  signInAsDemo,
  test,
  type Visitor,
} from '../support/product.ts'
import { inAnotherTab } from '../support/screens.ts'

// Each stops orders, which the other one needs, so they run one after the other.
test.describe.configure({ mode: 'default' })

test('one owner pauses orders at once, two let them go on, and members are told', { tag: '@full' }, async ({
  visitor,
}) => {
  const member = await signInAsDemo(visitor, 'Kim')
  const owner = await signInAsDemo(visitor, 'Olivia')
  await owner.page.goto('/pages/admin/emergency')
  const node = owner.page.getByRole('region', { name: /^127\.0\.0\.1:\d+$/ })
  await expect(node).toContainText('Used')
  await expect(node).toContainText('Newest block')
  const orders = owner.page.getByRole('region', { name: 'Orders', exact: true })
  await orders.getByRole('button', { name: 'Pause' }).click()
  await prepare(owner.page, 'a wrong price was published', 'Sign and carry out now')
  await expect(orders.getByText('Paused')).toBeVisible()
  expect(await post(member.page, 'order', { product_id: '1' })).toMatchObject({ error: 'PAUSED' })
  await member.page.goto('/')
  await expect(member.page.getByText(/^Paused since .* Orders\. Balances do not change/)).toBeVisible()

  await orders.getByRole('button', { name: 'Propose to resume' }).click()
  await prepare(owner.page, 'the price is right again')
  const second = await signInAsDemo(visitor, 'Otto')
  await approve(second.page, 'the price is right again')
  await member.page.reload()
  await expect(member.page.getByText('Paused since')).toBeHidden()
})

/** The selector of the bank's OrdersArePaused(). */
const ORDERS_ARE_PAUSED = toFunctionSelector('OrdersArePaused()')

test('stopped on chain, the bank refuses a payment and pays an approved claim, until its admin lets it go on', async ({
  visitor,
  chain,
}) => {
  const payer = await signInAsDemo(visitor, 'Kim')
  const { order_id } = await post<{ order_id: string }>(payer.page, 'order', { product_id: '1' })
  const { tx: payment } = await api<{ tx: Hex }>(payer.page, `order/tx/${order_id}`)
  // Has withdrawn so little today that this needs no signature.
  const member = await signInAsDemo(visitor, 'Ann')
  const withdrawal = await post<{ withdraw_id: string; status: string }>(member.page, 'withdraw', {
    asset: 'USDT',
    amount: '15',
  })
  expect(withdrawal.status).toBe('Withdrawable')
  /** Returns the reason why the bank refuses the payment now; it is not approved, so it is never paid. */
  const refusal = async () => {
    const { to, data } = parseTransaction(payment)
    const call = chain.rpc('eth_call', [{ from: payer.address, to, data }, 'latest'])
    return call.then(
      () => 'none',
      (error: unknown) => JSON.stringify(error, Object.getOwnPropertyNames(Object(error))),
    )
  }
  expect(await refusal()).not.toContain(ORDERS_ARE_PAUSED)

  const pauser = await signInAsDemo(visitor, 'Olivia')
  const orders = await switchOrders(pauser.page, 'Stop on chain')
  await expect(orders.getByText('Paused')).toBeVisible()
  await expect(orders.getByText('your wallet is not')).toBeVisible()
  expect(await refusal()).toContain(ORDERS_ARE_PAUSED)

  let tx: Hex = '0x'
  // A payment of another test may have been booked last; the claim waits until it is final.
  await expect(async () => {
    tx = (await api<{ tx: Hex }>(member.page, `withdraw/claim/${withdrawal.withdraw_id}`)).tx
    expect(tx).toMatch(/^0x/)
  }).toPass()
  const { to, data } = parseTransaction(tx)
  const before = await chain.balances(member.address)
  const account = privateKeyToAccount(member.key)
  const nonce = await chain.nonce(member.address)
  const hash = await chain.signAndSend(account, { to: to!, data: data!, nonce })
  await expect.poll(async () => (await chain.receipt(hash))?.status).toBe('success')
  expect((await chain.balances(member.address)).usdt).toBeGreaterThan(before.usdt)

  const admin = await signInAsDemo(visitor, 'Otto')
  const again = await switchOrders(admin.page, 'Let go on, on chain')
  await expect(again.getByText('Running')).toBeVisible()
  expect(await refusal()).not.toContain(ORDERS_ARE_PAUSED)
  await post(payer.page, 'order/cancel', { order_id })
})

test('a raise that nobody announced is shown as such, waits two days, and a guardian cancels it', {
  tag: '@full',
}, async ({ visitor, chain }) => {
  // The multi-signature acts outside the product, as a thief of its keys would.
  const otto = await signInAsDemo(visitor, 'Otto')
  const account = privateKeyToAccount(otto.key)
  const data = encodeFunctionData({
    abi: parseAbi(['function queueCapRaise(address token, uint256 newCap)']),
    args: [chain.contracts.usdt, 1_500_000_000_000n],
  })
  const nonce = await chain.nonce(otto.address)
  const hash = await chain.signAndSend(account, { to: chain.contracts.bank, data, nonce })
  await expect.poll(async () => (await chain.receipt(hash))?.status).toBe('success')
  await chain.finalise()

  await otto.page.goto('/pages/admin/emergency')
  await expect(queueOf(otto.page)).toContainText('Higher daily cap')
  await expect(queueOf(otto.page).getByRole('timer')).toContainText('47:')
  await expect(queueOf(otto.page).getByRole('button', { name: 'Execute' })).toBeHidden()
  // The page refreshes only after a while, and the indexer may be a second behind.
  await reloadUntil(otto.page, () => otto.page.getByText('Nobody announced it here').first().isVisible())

  const guardian = await signInAsDemo(visitor, 'Vera')
  await guardian.page.goto('/pages/admin/emergency')
  await queueOf(guardian.page).getByRole('button', { name: 'Cancel' }).click()
  await sendFromSheet(guardian.page, 'cancel')
  await expect(queueOf(guardian.page)).toContainText('Nothing waits.')
})

test('a hand-over to a new bank is announced: members see from when on, claim as before, and a guardian cancels it', {
  tag: '@full',
}, async ({ visitor, member: signUp, chain }) => {
  const member = await signUp()
  await give(member.address, 'USDT', '20')
  const { bank } = chain.contracts
  const otto = await signInAsDemo(visitor, 'Otto')
  const data = encodeFunctionData({
    abi: parseAbi(['function queueHandOver(address successor)']),
    args: [await chain.deploySuccessor()],
  })
  expect(await chain.sendFrom(otto.key, bank, data)).toBe('success')
  await chain.finalise()

  const banner = member.page.getByText('the operator can move the members’ money to a new bank contract')
  await member.page.goto('/')
  await reloadUntil(member.page, () => banner.isVisible())
  await expect(banner).toContainText('You need to do nothing: claim as before, nothing is lost.')
  const { hand_over_from: from, state } = (await api<AppConfig>(member.page, 'config')).banks[0]!
  expect(state).toBe('taking_orders')
  expect(Date.parse(from!) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
  await lookAtAll(member.page, 'hand-over-announced', await inAnotherTab(member.page))

  const { withdraw_id } = await post<Withdrawal>(member.page, 'withdraw', { asset: 'USDT', amount: '12' })
  await member.page.goto(`/pages/withdrawal/detail?withdraw_id=${withdraw_id}`)
  await member.page.getByRole('button', { name: /^Claim / }).click()
  await expect(member.page.getByRole('status').getByText('Done')).toBeVisible()
  expect((await chain.balances(member.address)).usdt).toBe(parseUnits('11', 6))

  const guardian = await signInAsDemo(visitor, 'Vera')
  await guardian.page.goto('/pages/admin/emergency')
  await expect(queueOf(guardian.page)).toContainText('Hand-over to a new bank')
  await expect(queueOf(guardian.page)).toContainText('Members can claim until then.')
  await expect(queueOf(guardian.page).getByRole('timer')).toContainText('167:')
  await lookAtAll(guardian.page, 'emergency-hand-over', await inAnotherTab(guardian.page))
  await queueOf(guardian.page).getByRole('button', { name: 'Cancel' }).click()
  await sendFromSheet(guardian.page, 'cancel-hand-over')
  await expect(queueOf(guardian.page)).toContainText('Nothing waits.')
  await chain.finalise()
  const handOver = async () => (await api<AppConfig>(member.page, 'config')).banks[0]!.hand_over_from ?? null
  await expect.poll(handOver).toBeNull()
  await member.page.goto('/')
  await isThere(member.page)
  await expect(banner).toBeHidden()
})

test('a raise of a cap is announced on the page, explained there, and cancelled by a guardian', {
  tag: '@full',
}, async ({ visitor }) => {
  const otto = await signInAsDemo(visitor, 'Otto')
  await otto.page.goto('/pages/admin/emergency')
  const caps = otto.page.getByRole('region', { name: 'Daily caps' })
  await expect(caps).toContainText('1,000,000.00 USDT')
  const announce = async (cap: string) => {
    await caps.getByLabel('New daily cap').fill(cap)
    await caps.getByRole('button', { name: 'Announce the raise' }).click()
  }
  await announce('1000000')
  await expect(caps.getByText('Give a cap above today’s')).toBeVisible()
  // More than the double, which the contract refuses before anything is sent.
  await announce('2000001')
  await otto.page.getByRole('dialog').getByRole('button', { name: 'Send with the wallet' }).click()
  const refusal = otto.page.getByRole('alertdialog')
  await expect(refusal).toContainText('The bank contract refuses this at the moment. Nothing was sent.')
  await refusal.getByRole('button', { name: 'OK' }).click()
  await otto.page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()

  await announce('1500000')
  await expect(otto.page.getByRole('dialog')).toContainText('1,500,000.00 USDT')
  await sendFromSheet(otto.page, 'raise')
  await expect(queueOf(otto.page)).toContainText('1,500,000.00 USDT')
  await expect(queueOf(otto.page).getByRole('timer')).toContainText('47:')
  const change = otto.page.getByText('Higher cap announced').first().locator('../..')
  await reloadUntil(otto.page, () => change.getByText('Announced by').first().isVisible())
  await lookAtAll(otto.page, 'emergency-raise', await inAnotherTab(otto.page))

  const guardian = await signInAsDemo(visitor, 'Vera')
  await guardian.page.goto('/pages/admin/emergency')
  await queueOf(guardian.page).getByRole('button', { name: 'Cancel' }).click()
  await sendFromSheet(guardian.page, 'cancel')
  await expect(queueOf(guardian.page)).toContainText('Nothing waits.')
})

test('a pauser stops orders on chain without signing in, and a guardian cancels there too', {
  tag: '@full',
}, async ({ visitor, chain }) => {
  const { page } = await openWithoutSession(visitor, 'Olivia')
  await ordersOf(page).getByRole('button', { name: 'Stop on chain' }).click()
  await expect(page.getByRole('dialog')).toContainText('will report it as unannounced')
  await sendFromSheet(page, 'direct')
  await expect(ordersOf(page).getByText('Paused')).toBeVisible()
  await lookAtAll(page, 'emergency-signed-out', await inAnotherTab(page))

  const abi = parseAbi(['function queueDestination(address destination)'])
  const data = encodeFunctionData({ abi, args: [`0x${'d5'.repeat(20)}`] })
  expect(await chain.sendFrom(await demoKey('Otto'), chain.contracts.bank, data)).toBe('success')
  const guardian = await openWithoutSession(visitor, 'Vera')
  await queueOf(guardian.page).getByRole('button', { name: 'Cancel' }).click()
  await sendFromSheet(guardian.page, 'direct-cancel')
  await expect(queueOf(guardian.page)).toContainText('Nothing waits.')
  await guardian.page.getByLabel('Number on chain').fill('77')
  await guardian.page.getByRole('button', { name: 'Find' }).click()
  await expect(guardian.page.getByText('Nothing was announced under this number.')).toBeVisible()

  const admin = await openWithoutSession(visitor, 'Otto')
  await ordersOf(admin.page).getByRole('button', { name: 'Let go on, on chain' }).click()
  await sendFromSheet(admin.page, 'direct-on')
  await expect(ordersOf(admin.page).getByText('Running')).toBeVisible()
})

/** Opens the page Emergency with the wallet of somebody who does not sign in. */
async function openWithoutSession(visitor: Fixtures['visitor'], name: string): Promise<Visitor> {
  const person = await visitor({ key: await demoKey(name) })
  await person.page.goto('/pages/admin/emergency')
  await expect(person.page.getByText('You are not signed in.')).toBeVisible()
  await person.page.getByRole('button', { name: 'Connect wallet' }).click()
  await person.page.getByRole('button', { name: 'Test Wallet' }).click()
  return person
}

const ordersOf = (page: Page) => page.getByRole('region', { name: 'Payment of orders on chain' })

const queueOf = (page: Page) => page.getByRole('region', { name: 'Waiting in public' })

/** Sends one of the bank's switches with the wallet, after its preview. */
async function switchOrders(page: Page, button: string) {
  await page.goto('/pages/admin/emergency')
  const orders = ordersOf(page)
  await orders.getByRole('button', { name: button }).click()
  await sendFromSheet(page, button.slice(0, 4))
  return orders
}

async function sendFromSheet(page: Page, name: string): Promise<void> {
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByRole('region', { name: 'What you are about to sign' })).toContainText('Nothing')
  await look(page, `admin-bank-${name}`)
  await sheet.getByRole('button', { name: 'Send with the wallet' }).click()
  await expect(sheet).toBeHidden()
}
