import type { Order } from '@rif/api-schema'
import { doMainJob, SPONSOR_MONEY } from '../support/main-job.ts'
import { api, buy, expect, test } from '../support/product.ts'

/** With all the motion that there is. */
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('sign in, buy a package, be rewarded, withdraw into the wallet', async ({ chain, member }) => {
  await doMainJob(chain, await member(SPONSOR_MONEY), member)
})

test('the order of a paid package shows every fact of it', async ({ member }) => {
  const { page } = await member({ usdt: '70', amc: '60' })
  await buy(page, 'Launch 100')
  await page.getByRole('link', { name: 'View the order' }).click()
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
