import type { Page } from '@playwright/test'
import { findNothing, look } from '../support/inspect.ts'
import { api, expect, post, test } from '../support/product.ts'

/** A sheet, dialog or menu: how it is opened from its page, or out of the one before. */
interface Sheet {
  name: string
  open: (page: Page) => Promise<void>
}

const THEMES = ['light', 'dark'] as const
const TREE = '/pages/my/invite/inviteTree'
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

/** What opens over a page, by its page. What stands in the query string is asked for first. */
const SHEETS: readonly (readonly [path: string | ((page: Page) => Promise<string>), readonly Sheet[]])[] = [
  ['/pages/shop/orderList', [{ name: 'transactions', open: press(/transaction/) }]],
  [
    '/pages/withdrawal/index',
    [
      { name: 'withdraw-remainder', open: ask('Amount', '20', 'Continue') },
      { name: 'withdraw-confirm', open: ask('Amount', '5', 'Continue') },
    ],
  ],
  [aWithdrawal, [{ name: 'withdraw-cancel', open: press('Cancel withdrawal') }]],
  ['/pages/savings/in', [{ name: 'savings-in', open: ask('Amount', '1', 'Continue') }]],
  ['/pages/savings/out', [{ name: 'savings-out', open: ask('Amount', '1', 'Continue') }]],
  ['/pages/index/hashRate', [{ name: 'hash-power-quote', open: ask('AMC to spend', '5', 'Get a quote') }]],
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
      {
        name: 'transfer-confirm',
        open: async (page) => {
          await page.getByLabel('Receiver').fill(await someMember(page))
          await expect(page.getByText('A registered member')).toBeVisible()
          await ask('Amount', '1', 'Continue')(page)
        },
      },
    ],
  ],
  ['/pages/transfer/list', [{ name: 'transfer-detail', open: press(/Sent/) }]],
  ['/pages/localWallet/index', [{ name: 'wallet-receive', open: press('Receive') }]],
  [
    '/pages/localWallet/transaction',
    [
      {
        name: 'wallet-send',
        open: async (page) => {
          await page.getByLabel('Receiver').fill(await someMember(page))
          await expect(page.getByText('A registered member')).toBeVisible()
          await ask('Amount', '1', 'Continue')(page)
        },
      },
    ],
  ],
  ['/pages/index/team_user', [{ name: 'team-filter', open: press('Filter') }]],
  [
    TREE,
    [
      {
        name: 'tree-search',
        open: async (page) => {
          await press('Search the tree')(page)
          await page.getByLabel('Search by address, code or label').fill(await someMember(page))
          await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(1)
        },
      },
      {
        name: 'tree-menu',
        open: async (page) => {
          await press('Search the tree')(page)
          await page.getByLabel('Search by address, code or label').fill(await someMember(page))
          await page.getByRole('dialog').getByRole('listitem').getByRole('button').click()
          await expect(page.getByRole('dialog')).toHaveCount(0)
          await press('Actions')(page)
        },
      },
      {
        name: 'tree-place',
        open: (page) => press('Actions')(page).then(() => choose('Add on the right')(page)),
      },
      {
        name: 'tree-label',
        open: (page) => press('Actions')(page).then(() => choose('Edit label and pin')(page)),
      },
      {
        name: 'tree-label-delete',
        open: (page) => press('Actions')(page).then(() => choose('Delete label')(page)),
      },
    ],
  ],
  ['/pages/my/sessions', [{ name: 'session-end', open: press(/^Sign out/) }]],
  ['/pages/rewardList/index', [{ name: 'award-pause', open: press('Pause settlement') }]],
  [aFundBuy, [{ name: 'fund-buy', open: press('Continue') }]],
  [aFundPayment, [{ name: 'fund-order-cancel', open: press('Cancel this purchase') }]],
]

test.use({ actionTimeout: 15_000 })

test('axe finds nothing inside sheets, dialogs and menus', async ({ visitor }) => {
  test.setTimeout(120_000)
  const { page } = await visitor()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await giveCamera(page)
  await page.goto('/pages/login/index')
  await check(page, { name: 'languages', open: press('Language') })
  await check(page, { name: 'wallets', open: press('Connect wallet') })
  await press('Connect wallet')(page)
  await check(page, { name: 'demo-wallet', open: press(/^Ruth/) }, { isLeftOpen: true })
  await press('Confirm')(page)
  await expect(page).toHaveURL('/')

  await prepare(page)
  for (const [path, sheets] of SHEETS) {
    await page.goto(typeof path === 'string' ? path : await path(page))
    for (const sheet of sheets) await check(page, sheet)
  }
})

/** Opens it, looks at it in both themes, and closes it. */
async function check(page: Page, { name, open }: Sheet, { isLeftOpen = false } = {}): Promise<void> {
  await test.step(name, async () => {
    await open(page)
    const panel = page.locator(ANY_PANEL).last()
    await expect(panel).toBeVisible()
    await expect(panel.locator('.animate-pulse')).toHaveCount(0)
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme })
      await findNothing(page, { within: ANY_PANEL, coloursOnly: colorScheme === 'dark' })
      await look(page, `sheet-${name}-${colorScheme}`)
    }
    if (isLeftOpen) return
    await page.keyboard.press('Escape')
    await expect(page.locator(ANY_PANEL)).toHaveCount(0)
  })
}

/** What some sheets need to be there, and answers that would take a day or a second person to come about. */
async function prepare(page: Page): Promise<void> {
  const to = await someMember(page)
  await post(page, 'transfer', { address: to, asset: 'USDT', amount: '1' })
  const { items } = await api<{ items: { member_id: string }[] }>(page, 'me/relation?sort=newest')
  await post(page, 'me/labels', { member_id: items[0]!.member_id, label: 'Newest', pinned: false })
  const change = (path: string, changes: object) =>
    page.route(`**/api/v1/${path}`, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      await route.fulfill({ response, json: { ...body, data: { ...body.data, ...changes } } })
    })
  await change('withdraw/limit', { remaining: '10.000000' })
  await change('me/transactions', {
    items: (['pending', 'confirming', 'done', 'failed', 'replaced'] as const).map((state, index) => ({
      ...{ tx_hash: `0x${`${index}`.repeat(64)}`, kind: 'pay', subject_id: '1', state },
      ...{ confirmations: 1, confirmations_needed: 3, sent_at: new Date().toISOString() },
    })),
  })
}

/** A browser that says it can read QR codes; the camera itself is refused. */
const giveCamera = (page: Page) =>
  page.addInitScript(() => {
    Object.assign(window, { BarcodeDetector: class {} })
  })

async function someMember(page: Page): Promise<string> {
  const { items } = await api<{ items: { address: string }[] }>(page, 'me/relation?sort=newest&limit=1')
  return items[0]!.address
}

async function aWithdrawal(page: Page): Promise<string> {
  const { items } = await api<{ items: { withdraw_id: string }[] }>(page, 'withdraws?status=Auditing')
  return `/pages/withdrawal/detail?withdraw_id=${items[0]!.withdraw_id}`
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
