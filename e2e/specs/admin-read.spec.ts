import type { Page } from '@playwright/test'
import { row } from '../support/database.ts'
import { alone, api, dayInWords, expect, signInAsDemo, test } from '../support/product.ts'

const SEARCH = '/pages/admin/search'
const ORDERS = '/pages/admin/auditOrder'
const SETTLEMENT = '/pages/admin/rewardDistribution'

test('search finds a member by wallet, code, order and transaction, and keeps notes', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  const memberRow = await row(`select member_id, address, invite_code, order_id, tx_hash
    from members join orders using (member_id) where status = 'Paid' and member_id = (select min(member_id) from members)
    order by order_id desc limit 1`)
  const member = page.getByRole('heading', { name: new RegExp(memberRow.address!, 'i') })
  for (const key of [memberRow.address!, memberRow.invite_code!, memberRow.tx_hash!]) {
    await find(page, key)
    await expect(member).toBeVisible()
  }
  await find(page, memberRow.order_id!)
  const order = page.getByRole('link', { name: `Order #${memberRow.order_id}` })
  await expect(order.or(member).first()).toBeVisible()
  if (await order.isVisible()) await order.click()
  await expect(member).toBeVisible()

  const lists = page.getByRole('group', { name: 'Lists' })
  await lists.getByText('Orders', { exact: true }).click()
  const orders = page.getByRole('list', { name: 'Orders' })
  await page.getByRole('button', { name: 'Paid', exact: true }).click()
  await orders.getByRole('button', { name: new RegExp(`Order #${memberRow.order_id} `) }).click()
  await page.getByRole('dialog', { name: 'Details' }).getByRole('button', { name: 'Close' }).click()
  await lists.getByText(/^Notes/).click()
  const note = `Called about order ${memberRow.order_id} at ${Date.now()}`
  await page.getByLabel('New note').fill(note)
  await page.getByRole('button', { name: 'Keep the note' }).click()
  await expect(page.getByRole('article').filter({ hasText: note })).toBeVisible()

  await find(page, 'nobody at all')
  await expect(page.getByText(/none of what can be searched for/)).toBeVisible()
  await page.getByLabel('Find a member').fill('999999')
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await expect(page.getByText(/Read as a number/)).toBeVisible()
  await expect(page.getByRole('searchbox')).toHaveCount(1)
})

test('the column of areas keeps its place, and has the current area and the way to Emergency in sight', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/pages/admin/home')
  const area = (name: string) => page.getByRole('complementary').getByRole('link', { name, exact: true })
  await expect(area('Today')).toBeInViewport({ ratio: 1 })
  await expect(area('Emergency')).toBeInViewport({ ratio: 1 })
  await page.goto('/pages/admin/log')
  await expect(area('Audit log')).toBeInViewport({ ratio: 1 })
  await expect(area('Today')).not.toBeInViewport()
  await area('Webhooks').click()
  await expect(area('Webhooks')).toHaveAttribute('aria-current', 'page')
  await expect(area('Audit log')).toBeInViewport({ ratio: 1 })
  await area('Emergency').click()
  await expect(area('Emergency')).toHaveAttribute('aria-current', 'page')
  await expect(area('Audit log')).toBeInViewport({ ratio: 1 })
})

test('settlement shows each day with its batches and computes the next one', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto(SETTLEMENT)
  type Days = { items: { day: string; state: string; classes: { due: string }[] }[] }
  const { items } = await api<Days>(page, 'admin/settlement/days')
  const { day, state, classes } = items.find((item) => item.classes.length > 0)!
  const words = dayInWords(day)
  const line = page.getByRole('list', { name: 'Days' }).getByRole('listitem').filter({ hasText: words })
  await expect(line.locator('time')).toHaveAttribute('datetime', day)
  await expect(line).toContainText(state === 'settled' ? 'Settled' : 'Running')
  await line.getByRole('button').click()
  const details = page.getByRole('dialog', { name: 'Details' })
  await expect(details.getByRole('table', { name: `Batches of ${words}` }).getByRole('row')).toHaveCount(
    classes.length + 1,
  )
  await details.getByRole('button', { name: 'Close' }).click()

  const card = page.getByRole('region', { name: 'Dry run', exact: true })
  await alone('dry run', async () => {
    await card.getByRole('button', { name: /Start a dry run|Run again/ }).click()
    await expect(card.getByRole('table')).toBeVisible()
    await expect(card).toContainText('ended now')
  })
})

test('waiting orders and payments are listed, or their absence is stated', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await signInAsDemo(visitor, 'Paul')
  await page.goto(ORDERS)
  type Queue = { items: object[]; waiting: number }
  for (const [name, none, queue] of [
    ['Payments that fit no order', 'No payment waits', 'payments'],
    ['Fund redemptions', 'No redemption waits', 'redemptions'],
    ['Orders that are stuck', 'No order is stuck', 'orders'],
  ] as const) {
    await page.getByRole('button', { name }).click()
    const items = page.getByRole('list', { name }).getByRole('listitem')
    // Other tests pay and redeem meanwhile.
    await expect(async () => {
      const { [queue]: now } = await api<Record<typeof queue, Queue>>(page, 'admin/orders')
      if (now.waiting === 0) expect(await page.getByText(none).isVisible()).toBe(true)
      else expect(await items.count()).toBe(now.items.length)
    }).toPass()
  }
})

async function find(page: Page, text: string): Promise<void> {
  await page.goto(SEARCH)
  await page.getByLabel('Find a member').fill(text)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
}
