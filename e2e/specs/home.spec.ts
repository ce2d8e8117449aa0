import { parseUnits } from 'viem'
import { api, buy, expect, order, PAY, refuse, test } from '../support/product.ts'

interface Items<T> {
  items: T[]
}

test('home shows activity, waiting items and news; the seen mark is the same on every device', {
  tag: '@full',
}, async ({ member }) => {
  const { page, key } = await member({ usdt: '500', amc: '500' })
  await buy(page, 'Launch 100')
  await order(page, 'Launch 500')
  await page.goto('/')
  // 430 USDT and 440 AMC at 0.50 remain in the wallet: a purchase never makes the total zero.
  await expect(page.getByRole('region', { name: 'Total', exact: true })).toContainText('650.00')
  await expect(page.getByText('Finish the order for Launch 500')).toBeVisible()
  await expect(page.getByRole('link', { name: /Launch 100 paid/ })).toContainText('70.00 USDT')
  await expect(page.getByRole('navigation', { name: 'All areas' }).getByRole('link').first()).toBeVisible()

  await page.getByRole('link', { name: 'Notifications, 1 new' }).click()
  const list = page.getByRole('list', { name: 'Notifications' })
  await expect(list.getByRole('listitem').filter({ hasText: 'Launch 100 paid' })).toContainText('new')
  await expect.poll(() => api<{ unseen: number }>(page, 'me/notifications')).toMatchObject({ unseen: 0 })

  const second = await member({ key })
  const answer = await refuse(second.page, 'token/price2')
  await second.page.goto('/')
  await expect(second.page.getByRole('link', { name: 'Notifications, 0 new' })).toBeVisible()
  const price = second.page.getByText('Price of RIF').locator('..')
  const retry = price.getByRole('button', { name: 'Tap to reload' })
  await expect(retry).toBeVisible()
  await answer()
  await retry.click()
  await expect(price).toContainText('USDT')
})

test('another order of the same package resumes the open one, also from another device', {
  tag: '@full',
}, async ({ chain, member }) => {
  const first = await member({ usdt: '70', amc: '60' })
  const second = await member({ key: first.key })
  // Without the stream of changes: it would tell this device of the order before the click.
  await second.page.route('**/api/v1/changes', () => undefined)
  await second.page.goto('/pages/shop/index')
  await expect(
    second.page.getByRole('button', { name: 'See the price of Launch 100', exact: true }),
  ).toBeVisible()
  // The second device has loaded its list of open orders before there was one.
  await order(first.page, 'Launch 100')
  await second.page.getByRole('button', { name: 'See the price of Launch 100', exact: true }).click()
  await second.page.getByRole('button', { name: PAY }).click()
  await expect(second.page.getByText('This order is still open')).toBeVisible()
  const { items } = await api<Items<{ status: string }>>(second.page, 'order/all')
  expect(items).toMatchObject([{ status: 'UnPaid' }])
  expect((await chain.balances(first.wallet.address)).usdt).toBe(parseUnits('70', 6))
})

test('the account shows level, limits and devices, and ends a session on another device', {
  tag: '@full',
}, async ({ member }) => {
  const { page, key } = await member()
  const second = await member({ key })

  await page.goto('/pages/my/index')
  await expect(page.getByText('VIP 1 needs Launch 100 for 100 USDT.')).toBeVisible()
  await expect(page.getByText('0.00 of 100.00 USDT used.').first()).toBeVisible()
  await expect(page.getByText('Version 1.0.0 (100)')).toBeVisible()
  await page.getByRole('link', { name: /Devices signed in/ }).click()
  await expect(page.getByRole('list', { name: 'Devices signed in' }).getByRole('listitem')).toHaveCount(2)
  const others = page.getByRole('listitem').filter({ hasNotText: 'This one' })
  await others.getByRole('button', { name: /Sign out/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(1)

  await second.page.goto('/pages/my/index')
  await expect(second.page).toHaveURL(/\/pages\/login\/index/)
})

test('language and theme take effect at once and stay', { tag: '@full' }, async ({ member }) => {
  const { page } = await member()
  await page.goto('/pages/my/index')
  await page.getByText('Dark', { exact: true }).click()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('link', { name: /Language/ }).click()
  await page.getByText('日本語').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('言語')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  // Traditional Chinese is shown in the texts of zh-Hans, languages without texts in English.
  await page.getByText('繁體中文').click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'zh-Hans')
  await page.getByText('Polski').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Language')
})

test('help, risks and terms can be read without signing in', { tag: '@full' }, async ({ visitor }) => {
  const { page } = await visitor()
  for (const [path, figure] of [
    ['/pages/help/article?name=buy', 'The quote holds for 30 minutes'],
    ['/pages/my/risk', 'Up to 1% a day means'],
    ['/pages/my/terms', 'limited per UTC day to 100 / 500 / 1,000'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByText(figure)).toBeVisible()
  }
})
