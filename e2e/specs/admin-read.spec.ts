import type { Page } from '@playwright/test'
import pg from 'pg'
import { api, expect, runningProduct, signInAsDemo, test } from '../support/product.ts'

const ANALYTICS = '/pages/admin/analytics'
const SEARCH = '/pages/admin/search'
const ORDERS = '/pages/admin/auditOrder'
const SETTLEMENT = '/pages/admin/rewardDistribution'

/** One row out of the product's database, every value as text. */
async function row(query: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: runningProduct().databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query({ text: query, types: { getTypeParser: () => String } })
    return rows[0]
  } finally {
    await client.end()
  }
}

/** Micro-units as the API writes them, and as a page does. */
const amount = (micros: string) => `${BigInt(micros) / 1_000_000n}.${micros.padStart(7, '0').slice(-6)}`
const shown = (text: string) => Number(text).toLocaleString('en-US', { minimumFractionDigits: 2 })

test('analytics tells the true figures of the demonstration', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Walt', ANALYTICS)
  const card = (name: string) => page.getByRole('region', { name, exact: true })
  const totals = await row(`select
    (select count(*) from members) as members,
    (select count(*) from members where valid_at is not null) as valid,
    (select count(*) from orders where status = 'Paid') as paid,
    (select sum(price_micros - case when use_hash_rate then discount_micros else 0 end) from orders
      where status = 'Paid') as base,
    (select count(*) from withdrawals where status = 'Auditing') as auditing,
    (select sum(balance) from ledger_balances where asset = 'USDT' and ledger_account_class(account) = 'member') as owed`)

  const { members, sales, liabilities } =
    await test.step('the sums by day are the sums of the rows', async () => {
      const members = await api<{ members: number; valid: number }>(page, 'admin/analytics/members')
      const sales = await api<{ totals: { paid: number; base: string } }>(page, 'admin/analytics/sales')
      const liabilities = await api<{ assets: { asset: string; members: string }[] }>(
        page,
        'admin/analytics/liabilities',
      )
      return { members, sales, liabilities }
    })
  expect([members.members, members.valid]).toEqual([Number(totals.members), Number(totals.valid)])
  expect(sales.totals).toMatchObject({ paid: Number(totals.paid), base: amount(totals.base!) })
  expect(liabilities.assets.find(({ asset }) => asset === 'USDT')?.members).toBe(amount(totals.owed!))

  await expect(card('Members')).toContainText(`All${totals.members}`)
  await expect(card('Sales')).toContainText(shown(amount(totals.base!)))
  await expect(card('Holdings')).toContainText('On chain at block')
  await expect(card('What needs you')).toContainText(`${totals.auditing} withdrawal`)

  await page.getByText('90 days').click()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}&to=/)
  await expect(card('Sales')).toContainText(shown(amount(totals.base!)))
  const file = page.waitForEvent('download')
  await card('Sales').getByRole('button', { name: 'Save as CSV' }).click()
  const lines = await textOf(await (await file).createReadStream())
  expect(lines.split('\r\n')[0]).toContain('day,ordered,cancelled,paid,base')
})

test('search finds a member by wallet, code, order and transaction, and keeps notes', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul', ANALYTICS)
  const known = await row(`select member_id, address, invite_code, order_id, tx_hash
    from members join orders using (member_id) where status = 'Paid' order by order_id desc limit 1`)
  const member = page.getByRole('heading', { name: new RegExp(known.address!, 'i') })
  for (const key of [known.address!, known.invite_code!, known.tx_hash!]) {
    await find(page, key)
    await expect(member).toBeVisible()
  }
  await find(page, known.order_id!)
  const order = page.getByRole('link', { name: `Order #${known.order_id}` })
  await expect(order.or(member).first()).toBeVisible()
  if (await order.isVisible()) await order.click()
  await expect(member).toBeVisible()

  const lists = page.getByRole('group', { name: 'Lists' })
  await lists.getByText('Orders', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Orders, table' })).toContainText(`#${known.order_id}`)
  await lists.getByText(/^Notes/).click()
  const note = `Called about order ${known.order_id}`
  await page.getByLabel('New note').fill(note)
  await page.getByRole('button', { name: 'Keep the note' }).click()
  await expect(page.getByRole('article').filter({ hasText: note })).toBeVisible()

  await find(page, 'nobody at all')
  await expect(page.getByText(/none of what can be searched for/)).toBeVisible()
})

test('settlement tells each day with its batches and works out the next one', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul', ANALYTICS)
  await page.goto(SETTLEMENT)
  type Days = { items: { day: string; state: string; classes: { due: string }[] }[] }
  const { items } = await api<Days>(page, 'admin/settlement/days')
  const { day, state, classes } = items.find((one) => one.classes.length > 0)!
  const line = page.getByRole('button', { name: day })
  await expect(line).toContainText(state === 'settled' ? 'Settled' : 'Running')
  await line.click()
  const batches = page.getByRole('table', { name: `Batches of ${day}` })
  await expect(batches.getByRole('row')).toHaveCount(classes.length + 1)

  const card = page.getByRole('region', { name: 'Dry run', exact: true })
  await card.getByRole('button', { name: /Start a dry run|Run again/ }).click()
  await expect(card.getByRole('table')).toBeVisible({ timeout: 15_000 })
  await expect(card).toContainText('ended now')
})

test('orders and payments that wait are told, or that none does', async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul', ANALYTICS)
  await page.goto(ORDERS)
  type Queue = { items: object[]; waiting: number }
  const { payments, redemptions, orders } = await api<Record<'payments' | 'redemptions' | 'orders', Queue>>(
    page,
    'admin/orders',
  )
  for (const [name, none, queue] of [
    ['Payments that fit no order', 'No payment waits', payments],
    ['Fund redemptions', 'No redemption waits', redemptions],
    ['Orders that are stuck', 'No order is stuck', orders],
  ] as const) {
    await expect(page.getByRole('heading', { name })).toBeVisible()
    const items = page.getByRole('list', { name }).getByRole('listitem')
    if (queue.waiting === 0) await expect(page.getByText(none)).toBeVisible()
    else await expect(items).toHaveCount(queue.items.length)
  }
})

async function find(page: Page, text: string): Promise<void> {
  await page.goto(SEARCH)
  await page.getByLabel('Find a member').fill(text)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}
