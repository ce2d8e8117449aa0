import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { api, buy, expect, order, test } from '../support/product.ts'

/** As the language page names them; texts of Traditional Chinese are zh-Hans. */
const LANGUAGES = ['en', 'zh-Hant', 'ja', 'ko'] as const
const THEMES = ['light', 'dark'] as const
const SIZES = {
  phone: { width: 390, height: 844 },
  narrow: { width: 320, height: 700 },
  desktop: { width: 1280, height: 900 },
}

const OPEN_PAGES = ['/pages/login/index', '/pages/found/home', '/pages/nowhere']
const MEMBER_PAGES = [
  '/',
  '/pages/index/team_user',
  '/pages/rewardList/index',
  '/pages/rewardList/coverage',
  '/pages/shop/index',
  '/pages/shop/orderList',
  '/pages/withdrawal/index',
  '/pages/withdrawal/list',
  '/pages/my/index',
  '/pages/my/selectLan/index',
  '/pages/my/invite/index',
]

test('every screen fits, reads well and has nothing for axe to find', async ({ member }) => {
  test.setTimeout(300_000)
  const { page } = await member({ usdt: '200', amc: '200' })
  await buy(page, 'Launch 100')
  const { items } = await api<{ items: { order_id: string }[] }>(page, 'order/all')
  const query = `?order_id=${items[0]?.order_id}`
  const pages = [...MEMBER_PAGES, `/pages/shop/shopOrderDetail${query}`, `/pages/shop/paySuccess${query}`]
  for (const language of LANGUAGES) {
    for (const theme of THEMES) {
      await useLook(page, language, theme)
      for (const path of pages) await inspect(page, path, `${language}-${theme}`, language === 'en')
    }
  }
  for (const size of ['narrow', 'desktop'] as const) {
    await page.setViewportSize(SIZES[size])
    await useLook(page, size === 'narrow' ? 'ja' : 'en', 'light')
    for (const path of pages) await inspect(page, path, size, false)
  }
})

test('what a visitor sees before signing in', async ({ visitor }) => {
  const { page } = await visitor()
  await page.goto('/')
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  for (const language of LANGUAGES) {
    for (const theme of THEMES) {
      await useLook(page, language, theme)
      for (const path of OPEN_PAGES) await inspect(page, path, `${language}-${theme}`, true)
    }
  }
})

test('the order sheet has nothing for axe to find', async ({ member }) => {
  const { page } = await member()
  for (const theme of THEMES) {
    await useLook(page, 'en', theme)
    await order(page, 'Launch 500')
    await look(page, `order-sheet-${theme}`)
    await findNothing(page)
    await page.getByRole('button', { name: 'Cancel this order' }).click()
    await findNothing(page)
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
  }
})

async function useLook(page: Page, language: string, theme: string): Promise<void> {
  await page.evaluate(
    ([option, scheme]) => {
      localStorage.setItem('locale', option as string)
      localStorage.setItem('theme', scheme as string)
    },
    [language, theme],
  )
}

async function inspect(page: Page, path: string, look_: string, axe: boolean): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${path} ${look_} is wider than the window`).toBeLessThanOrEqual(0)
  await look(page, `${path.split('?')[0]?.replaceAll('/', '_')}-${look_}`)
  if (axe) await findNothing(page)
}

async function findNothing(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([])
}

/** Kept to be looked at. */
const look = (page: Page, name: string) => page.screenshot({ path: `results/screens/${name}.png` })
