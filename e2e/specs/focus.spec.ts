import type { Locator, Page } from '@playwright/test'
import { walk } from '../support/focus.ts'
import { isThere } from '../support/inspect.ts'
import { expect, isUncovered, signInAsDemo, test } from '../support/product.ts'

const TAB_PAGES = [
  '/',
  '/pages/rewardList/index',
  '/pages/shop/index',
  '/pages/found/home',
  '/pages/my/index',
]
const FORMS = ['/pages/withdrawal/index', '/pages/transfer/index']

test('the Tab key follows the visual order of a page, and no focused control is under a bar', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann')
  for (const path of [...TAB_PAGES, ...FORMS]) {
    await page.goto(path)
    await isThere(page)
    expect(await walk(page), path).toEqual([])
  }
})

test('a newly opened page starts at its heading; a sheet holds the focus and returns it', {
  tag: '@full',
}, async ({ visitor }) => {
  const { page } = await signInAsDemo(visitor, 'Ann', '/')
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const focusOn = (name: string | RegExp) => page.getByRole('link', { name, exact: true }).first().focus()
  await focusOn('Account')
  await page.keyboard.press('Enter')
  await expect(heading('Account')).toBeFocused()
  await expect(page).toHaveTitle('Account · RIFund Portfolio')
  await focusOn(/^Send/)
  await page.keyboard.press('Enter')
  await expect(heading('Send (transfer)')).toBeFocused()

  await holdsFocus(
    page,
    page.getByRole('button', { name: 'Address book' }),
    page.getByRole('dialog', { name: 'Address book' }),
  )
  await page.goBack()
  await expect(heading('Account')).toBeFocused()

  // A purchase: the order's sheet, whose button pays.
  await page.goto('/pages/shop/index')
  const order = page.getByRole('dialog', { name: 'Launch 100' })
  await holdsFocus(
    page,
    page.getByRole('button', { name: 'See the price of Launch 100', exact: true }),
    order,
  )
})

/** Opens a sheet by keyboard, cycles through its visible controls, and closes it. */
async function holdsFocus(page: Page, opener: Locator, sheet: Locator): Promise<void> {
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(sheet).toBeVisible()
  await expect(sheet.locator('.animate-pulse')).toHaveCount(0)
  const controls = await sheet.locator('a, button, input, summary').count()
  for (let stop = 0; stop <= controls; stop++) {
    await page.keyboard.press('Tab')
    await expect(sheet.locator(':focus')).toHaveCount(1)
    await expect(sheet.locator(':focus')).toBeInViewport()
  }
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(opener).toBeFocused()
  await isUncovered(page)
}
