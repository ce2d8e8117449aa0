import type { Order } from '@rif/api-schema'
import { pressByKeyboard } from '../support/focus.ts'
import { doMainJob, SPONSOR_MONEY } from '../support/main-job.ts'
import { api, expect, loginPath, PAY, test } from '../support/product.ts'

/** With all the motion that there is. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('sign in, buy a package, be rewarded, withdraw into the wallet by the keyboard alone', async ({
  chain,
  member,
}) => {
  await doMainJob(chain, await member(SPONSOR_MONEY), member, pressByKeyboard)
})

test('by the keyboard alone: sign in, buy a package, read every fact of its order', { tag: '@full' }, async ({
  visitor,
}) => {
  const { page } = await visitor({ usdt: '70', amc: '60' })
  const press = (role: 'button' | 'link', name: string | RegExp, within = '#root') =>
    pressByKeyboard(page.locator(within).getByRole(role, { name }).first())
  await page.goto(await loginPath())
  await press('button', 'Connect wallet')
  await press('button', 'Test Wallet', 'body')
  await expect(page).toHaveURL('/')
  await press('link', 'Shop')
  await press('button', 'See the price of Launch 100')
  await press('button', PAY, '[role=dialog]')
  await expect(page.getByText('Launch 100 is yours')).toBeVisible()
  await press('link', 'View the order')
  for (const label of [
    'Order ID',
    'Transaction hash',
    'Pay time',
    'Collection time',
    'Pay amount in USDT',
    'Service fee',
    'Total amount',
  ])
    await expect(page.getByText(label, { exact: true })).toBeVisible()
  const { items } = await api<{ items: Order[] }>(page, 'order/all')
  expect(items).toMatchObject([{ status: 'Paid', quote: { usdt: '70.000000', amc: '60.000000' } }])
})
