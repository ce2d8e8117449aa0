import type { Page } from '@playwright/test'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Chain } from '../support/chain.ts'
import { fundAdmins } from '../support/fund-admins.ts'
import { findNothing, look } from '../support/inspect.ts'
import { inThemes } from '../support/inspect-all.ts'
import {
  api,
  expect,
  give,
  isUncovered,
  loginPath,
  order,
  PAY,
  post,
  signInAsDemo,
  signUp,
  test,
} from '../support/product.ts'
import { runningProduct } from '../support/running.ts'

/** A sheet, dialog or menu: how it is opened from its page, or out of the one before. */
interface Sheet {
  name: string
  open: (page: Page) => Promise<void>
}
type Path = string | ((page: Page) => Promise<string>)

const ANY_PANEL = '[role=dialog], [role=alertdialog], [role=menu]'

const press = (name: string | RegExp) => (page: Page) =>
  page
    .getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
    .first()
    .click()
const choose = (name: string) => (page: Page) => page.getByRole('menuitem', { name }).click()
/** Fills in an amount and goes on to what has to be confirmed. */
const ask = (label: string, amount: string, button: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).fill(amount)
  await press(button)(page)
}
/** The same, to the member that the test signed up. */
const askFriend = (amount: string) => async (page: Page) => {
  await page.getByLabel('Receiver').fill(await friend(page))
  await expect(page.getByText('A registered member')).toBeVisible()
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await press(/^(Send \d|Continue)/)(page)
}
const findFriend = async (page: Page) => {
  await press('Search the tree')(page)
  await page.getByLabel('Search by address, code, label or note').fill(await friend(page))
  await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
}
const menuOfFriend = async (page: Page) => {
  await findFriend(page)
  await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await press('Actions')(page)
}

/** The pages where money moves, with their query strings. */
const MONEY: readonly (readonly [Path, readonly Sheet[]])[] = [
  [
    '/pages/withdrawal/index',
    [
      // A member without a level withdraws 100 USDT worth a day.
      { name: 'withdraw-remainder', open: ask('Amount', '110', 'Withdraw') },
      { name: 'withdraw-confirm', open: ask('Amount', '5', 'Withdraw 5.00 USDT') },
    ],
  ],
  [aWithdrawal, [{ name: 'withdraw-cancel', open: press(/^Cancel and put/) }]],
  [
    '/pages/index/hashRate',
    [
      { name: 'price-source', open: press('Prices of AMC and RIF: source and date') },
      { name: 'hash-power-quote', open: ask('AMC to spend', '5', 'Get a quote') },
    ],
  ],
  [
    '/pages/exchange/index',
    [
      { name: 'exchange-quote', open: ask('RIF to exchange', '1', 'Get a quote') },
      { name: 'launch-subscribe', open: press('Put VC in') },
    ],
  ],
  [
    '/pages/transfer/index',
    [
      { name: 'address-book', open: press('Address book') },
      { name: 'scan', open: press('Scan a QR code') },
      { name: 'transfer-confirm', open: askFriend('1') },
    ],
  ],
  ['/pages/transfer/list', [{ name: 'transfer-detail', open: press(/Sent/) }]],
  ['/pages/localWallet/transaction', [{ name: 'wallet-send', open: askFriend('1') }]],
  [
    aFundBuy,
    [
      { name: 'nav-source', open: press(/^Unit value of .+: source and date$/) },
      { name: 'fund-buy', open: press(/^Buy \d/) },
    ],
  ],
  [aFundPayment, [{ name: 'fund-order-cancel', open: press('Cancel this purchase') }]],
]

const TEAM: readonly (readonly [Path, readonly Sheet[]])[] = [
  ['/pages/localWallet/index', [{ name: 'wallet-receive', open: press('Receive') }]],
  ['/pages/index/team_user', [{ name: 'team-filter', open: press('Filter') }]],
  [
    '/pages/my/invite/inviteTree',
    [
      { name: 'tree-search', open: findFriend },
      { name: 'tree-menu', open: menuOfFriend },
      {
        name: 'tree-place',
        open: (page) => press('Actions')(page).then(() => choose('Add on the right')(page)),
      },
      {
        name: 'tree-label',
        open: (page) => press('Actions')(page).then(() => choose('Edit label, note and pin')(page)),
      },
      {
        name: 'tree-label-delete',
        open: (page) => press('Actions')(page).then(() => choose('Delete label')(page)),
      },
    ],
  ],
  ['/pages/my/sessions', [{ name: 'session-end', open: press(/^Sign out/) }]],
  ['/pages/rewardList/index?show=rewards', [{ name: 'award-pause', open: press('Pause settlement') }]],
]

test.use({ provoked: [/status of 500/] })

test('axe finds nothing where money moves: sheets, previews of a signature, and what went wrong', {
  tag: '@full',
}, async ({ chain, member }) => {
  const { page, wallet, address, memberId, key } = await member({ usdt: '500', amc: '500', typedData: false })
  await settle(page)
  await signUp({ code: await inviteCode(page), side: 'left' })
  await give(address, 'USDT', '150')
  await give(address, 'AMC', '10')
  await fundAdmins(runningProduct(), [{ do: 'grant', memberId, rif: '50' }])
  const quote = await post<{ quote_id: string }>(page, 'exchange/quote', { to: 'VC', amount: '20' })
  await post(page, 'exchange', { quote_id: quote.quote_id })
  const transfer = { from: address, to: await friend(page), asset: 'USDT', amount: '1' }
  await fundAdmins(runningProduct(), [{ do: 'transfer', ...transfer }])
  await post(page, 'savings/in', { asset: 'USDT', amount: '10' })
  await checkAll(page, MONEY)

  // The sheet while the wallet's window is open.
  await order(page, 'Launch 100')
  await checkOpen(page, 'order')
  const openWindow = new Promise<() => void>((tell) => {
    wallet.meanwhile(() => new Promise<void>((resolve) => tell(resolve)))
  })
  await page.getByRole('button', { name: PAY }).click()
  await expect(page.getByRole('region', { name: 'What you are about to sign' })).toBeVisible()
  await checkOpen(page, 'signature-preview')
  const answer = await openWindow
  answer()
  await expect.poll(() => wallet.sent.length).toBe(1)
  await page.goto('/pages/my/approvals')
  await press('Revoke AMC approval')(page)
  await expect(page.getByText('Taken back', { exact: true })).toBeVisible()
  await findNothing(page)

  await transactionsOfEveryState(page, chain, key)
  await page.goto('/')
  await check(page, { name: 'transactions', open: press('1 transaction under way') })

  await page.goto('/pages/withdrawal/index')
  await page.route('**/api/v1/withdraw/check', (route) =>
    route.fulfill({ status: 500, json: { code: 500, msg: 'The server broke', data: { error: 'INTERNAL' } } }),
  )
  await check(page, { name: 'server-error', open: ask('Amount', '5', 'Withdraw 5.00 USDT') })
  await wallet.changeAccount(await chain.newWallet())
  await checkOpen(page, 'account-changed')
})

test('axe finds nothing in the sheets of signing in, of the team and of the account', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await visitor()
  await settle(page)
  await page.goto(await loginPath())
  await check(page, { name: 'languages', open: press('Language') })
  await check(page, { name: 'wallets', open: press('Connect wallet') })
  await press('Connect wallet')(page)
  await press('Test Wallet')(page)
  await expect(page).toHaveURL('/')
  await signUp({ code: await inviteCode(page), side: 'left' })
  const { items } = await api<{ items: { member_id: string }[] }>(page, 'me/relation?sort=newest')
  await post(page, 'me/labels', { member_id: items[0]!.member_id, label: 'Newest', pinned: false })
  await checkAll(page, TEAM)
})

test("axe finds nothing in the operator's sheets", { tag: '@full' }, async ({ member, visitor }) => {
  const { page: asking, address, memberId } = await member()
  await give(address, 'USDT', '70')
  const foreign = `0x${address.slice(2).split('').reverse().join('').toLowerCase()}`
  // The list may still have the row of an earlier attempt.
  const amount = `61.${10 + Math.floor(Math.random() * 90)}`
  const request = { memberId, amount, address: foreign }
  const [withdrawal] = await fundAdmins(runningProduct(), [{ do: 'withdraw', ...request }])
  const withdraw_id = withdrawal!.withdrawId
  const { page } = await signInAsDemo(visitor, 'Paul')
  await settle(page)
  await page.goto('/pages/admin/audit')
  const row = page.getByRole('listitem').filter({ hasText: amount })
  const details = page.getByRole('dialog', { name: 'Details' })
  await row.getByRole('button').click()
  await checkOpen(page, 'admin-withdrawal')
  await details.getByRole('button', { name: 'Propose approval' }).click()
  await expect(details).toBeHidden()
  const sheet = page.getByRole('dialog')
  await checkOpen(page, 'admin-prepare')
  await sheet.getByLabel('Reason').fill(`looked at ${withdraw_id}`)
  await sheet.getByRole('button', { name: 'See what changes' }).click()
  await expect(sheet.getByRole('region', { name: 'What changes' })).toBeVisible()
  await checkOpen(page, 'admin-what-changes')
  await sheet.getByRole('button', { name: 'Prepare for approval' }).click()
  await expect(sheet).toBeHidden()
  await row.getByRole('button').click()
  await details.getByRole('button', { name: 'See the proposal' }).click()
  await expect(details).toBeHidden()
  await expect(sheet.getByRole('region', { name: 'What changes' })).toBeVisible()
  await checkOpen(page, 'admin-proposal')
  await sheet.getByRole('button', { name: 'Take back' }).click()
  await row.getByRole('button').click()
  await expect(details.getByRole('button', { name: 'Propose approval' })).toBeVisible()
  await post(asking, `withdraw/cancel/${withdraw_id}`, {})
})

/** The browser says that it can read QR codes; the camera itself is refused. */
async function settle(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { BarcodeDetector: class {} })
  })
}

async function checkAll(page: Page, pages: readonly (readonly [Path, readonly Sheet[]])[]): Promise<void> {
  for (const [path, sheets] of pages) {
    await page.goto(typeof path === 'string' ? path : await path(page))
    for (const sheet of sheets) await check(page, sheet)
  }
}

/** Besides what is done: one that the chain refused, and one that it has not shown yet. */
async function transactionsOfEveryState(page: Page, chain: Chain, key: Hex): Promise<void> {
  const account = privateKeyToAccount(key)
  const nonce = await chain.nonce(account.address)
  const failed = await chain.signAndSend(account, { to: chain.contracts.usdt, data: '0x', nonce })
  await post(page, 'me/transactions', { tx_hash: failed, kind: 'approveUsdt', nonce })
  await post(page, 'me/transactions', {
    tx_hash: `0x${'5'.repeat(64)}`,
    kind: 'approveAmc',
    nonce: nonce + 1,
  })
}

/** Opens it, looks at it, and closes it: it holds the focus, and gives it back to a control of the page. */
async function check(page: Page, { name, open }: Sheet): Promise<void> {
  await test.step(name, async () => {
    await open(page)
    await checkOpen(page, name)
    // From item to item of a menu it is the arrow keys that go.
    await page.keyboard.press((await page.getByRole('menu').isVisible()) ? 'ArrowDown' : 'Shift+Tab')
    await expect(page.locator(ANY_PANEL).locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(page.locator(ANY_PANEL)).toHaveCount(0)
    await expect(page.locator(':focus')).toHaveCount(1)
    await isUncovered(page)
  })
}

/** Expects that axe finds nothing in what is open, and that its controls are large enough. */
async function checkOpen(page: Page, name: string): Promise<void> {
  const panel = page.locator(ANY_PANEL).last()
  await expect(panel).toBeVisible()
  await expect(panel.locator('.animate-pulse')).toHaveCount(0)
  await inThemes(page, name, () => findNothing(page, { within: ANY_PANEL }))
  await look(page, `sheet-${name}`)
}

const inviteCode = async (page: Page) => (await api<{ invite_code: string }>(page, 'me/invite')).invite_code

/** The one member below the test's own. */
async function friend(page: Page): Promise<string> {
  const { items } = await api<{ items: { address: string }[] }>(page, 'me/relation?sort=newest&limit=1')
  return items[0]!.address
}

/** One to a wallet that is new to the member waits for the audit. */
async function aWithdrawal(page: Page): Promise<string> {
  const { member_id: memberId } = await api<{ member_id: string }>(page, 'me')
  const request = { memberId, amount: '20', address: await friend(page) }
  const [withdrawal] = await fundAdmins(runningProduct(), [{ do: 'withdraw', ...request }])
  return `/pages/withdrawal/detail?withdraw_id=${withdrawal!.withdrawId}`
}

async function productId(page: Page): Promise<string> {
  const { items } = await api<{ items: { product_id: string; name: string }[] }>(page, 'fund/products')
  return items.find(({ name }) => name === 'RIF Rental Income')!.product_id
}

async function aFundBuy(page: Page): Promise<string> {
  return `/pages/found/buy?product_id=${await productId(page)}&units=2`
}

async function aFundPayment(page: Page): Promise<string> {
  const body = { product_id: await productId(page), units: '2', pay_with: 'wallet' }
  const { order_id } = await post<{ order_id: string }>(page, 'fund/buy', body)
  return `/pages/found/pay?order_id=${order_id}`
}
