import { parseUnits } from 'viem'
import { expect, order, test } from '../support/product.ts'

test('an order whose quote has ended cannot be paid any more', async ({ chain, member }) => {
  const { page, wallet } = await member({ usdt: '70', amc: '60' })
  await order(page, 'Launch 100')
  await chain.passTime(31 * 60)
  await page.goto('/pages/shop/orderList')
  await expect(page.getByText('Canceled')).toBeVisible({ timeout: 45_000 })
  expect(await chain.balances(wallet.address)).toEqual({
    usdt: parseUnits('70', 6),
    amc: parseUnits('60', 18),
  })
})
