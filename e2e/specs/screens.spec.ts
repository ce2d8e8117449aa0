import type { Page } from '@playwright/test'
import texts from '../../apps/web/src/locales/en.json' with { type: 'json' }
import { findNothing, isThere, look, overflow } from '../support/inspect.ts'
import { api, expect, order, signInAsDemo, test } from '../support/product.ts'

/** The declared pages. The types of the web app stay out of this program, which knows no JSX. */
const { pages }: { pages: Record<string, { open?: true; admin?: true }> } = await import(
  String(new URL('../../apps/web/src/app/pages.ts', import.meta.url))
)

const THEMES = ['light', 'dark'] as const
/** The options of the language page that have texts of their own, with the `lang` that they give the document. */
const LANGUAGES = [
  { option: 'en', lang: 'en', themes: THEMES },
  { option: 'zh-Hant', lang: 'zh-Hans', themes: ['light'] },
  { option: 'ja', lang: 'ja', themes: ['dark'] },
  { option: 'ko', lang: 'ko', themes: ['light'] },
] as const
/** Every rule of axe in every language, theme and width. */
const IS_WHOLE = process.env.E2E_WHOLE !== undefined
const PATIENCE_MS = IS_WHOLE ? 30 * 60_000 : 5 * 60_000
const SIZES = {
  narrow: { width: 320, height: 700 },
  desktop: { width: 1280, height: 900 },
  phone: { width: 390, height: 844 },
}

/** What stands in the place of a text that is not there: its key. */
const TEXT_KEY = new RegExp(`\\b(${Object.keys(texts).join('|')})\\.[a-z_]`)

const firstOf = async (page: Page, list: string, id: string) => {
  const { items } = await api<{ items: Record<string, string>[] }>(page, list)
  const found = items[0]?.[id]
  if (found === undefined) throw new Error(`the demonstration's member has nothing in ${list}`)
  return `?${id}=${found}`
}
const anOrder = (page: Page) => firstOf(page, 'order/all', 'order_id')
const aWithdrawal = (page: Page) => firstOf(page, 'withdraws', 'withdraw_id')

const aFundOrder = (page: Page) => firstOf(page, 'fund/orders', 'order_id')
const aProduct = (page: Page) => firstOf(page, 'fund/products', 'product_id')
const aRedemption = (page: Page) => firstOf(page, 'fund/redemptions', 'redemption_id')
/** What the pages need in their query string; a page that is not here needs nothing. */
const QUERIES: Partial<Record<string, (page: Page) => Promise<string>>> = {
  '/pages/shop/shopOrderDetail': anOrder,
  '/pages/shop/paySuccess': anOrder,
  '/pages/withdrawal/detail': aWithdrawal,
  '/pages/withdrawal/withdrawalSunccess': aWithdrawal,
  // One that was never told: the page says so.
  '/pages/localWallet/result': async () => `?tx_hash=0x${'1'.repeat(64)}`,
  '/pages/found/productDetail': aProduct,
  '/pages/found/buy': aProduct,
  '/pages/found/redemption': aProduct,
  '/pages/found/pay': aFundOrder,
  '/pages/found/pay_success': aFundOrder,
  '/pages/found/order_detail': aFundOrder,
  '/pages/found/newOrderDetail': aFundOrder,
  '/pages/found/redemption_success': aRedemption,
  '/pages/found/month_detail': (page) => firstOf(page, 'fund/bills', 'month'),
  '/pages/rewardList/detail': (page) => firstOf(page, 'profit/all', 'reward_id'),
}

const paths = Object.keys(pages)
/** What a visitor sees before signing in. */
const openPaths = [...paths.filter((path) => pages[path]?.open), '/pages/nowhere']
const isOfAdmins = (path: string) => pages[path]?.admin === true
const adminPaths = paths.filter(isOfAdmins)
const memberPaths = [
  ...paths.filter((path) => path !== '/pages/login/index' && !isOfAdmins(path)),
  '/pages/nowhere',
]

const PARTS = 4
for (let part = 0; part < PARTS; part++) {
  test(`every screen fits and reads well: ${part + 1} of ${PARTS}`, async ({ visitor }) => {
    test.setTimeout(PATIENCE_MS)
    const { page } = await signInAsDemo(visitor, 'Ann')
    const speak = await inAnotherTab(page)
    for (const path of memberPaths.filter((_, index) => index % PARTS === part)) {
      const query = await QUERIES[path]?.(page)
      await inspect(page, path + (query ?? ''), 'member', speak)
    }
  })
}

test('what a visitor sees before signing in fits and reads well', async ({ visitor }) => {
  test.setTimeout(PATIENCE_MS)
  const { page } = await visitor()
  await page.goto('/')
  await expect(page).toHaveURL(/\/pages\/login\/index/)
  const speak = await inAnotherTab(page)
  for (const path of openPaths) await inspect(page, path, 'visitor', speak)
})

test("every operator's page fits and reads well", async ({ visitor }) => {
  test.setTimeout(PATIENCE_MS)
  const { page } = await signInAsDemo(visitor, 'Olivia')
  const speak = await inAnotherTab(page)
  for (const path of adminPaths) await inspect(page, path, 'admin', speak)
})

test('the order sheet has nothing for axe to find', async ({ member }) => {
  const { page } = await member()
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await order(page, 'Launch 500')
    await look(page, `order-sheet-${colorScheme}`)
    await findNothing(page)
    await page.getByRole('button', { name: 'Cancel this order' }).click()
    await findNothing(page)
    await page.getByRole('button', { name: 'Yes, cancel' }).click()
  }
})

/** Chooses a language in a second tab: the page under test takes it over without being loaded again. */
async function inAnotherTab(page: Page) {
  const tab = await page.context().newPage()
  await tab.goto('/manifest.webmanifest')
  // A page behind another one is drawn once a second at most.
  await page.bringToFront()
  return async (option: string, lang: string) => {
    await tab.evaluate((value) => localStorage.setItem('locale', value), option)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
  }
}

/**
 * Opens a page once and looks at it in every language and width, and in both themes. Axe runs all of its rules in English by
 * day. What those on structure find (roles, headings, landmarks, ids) is the same in the other languages and by night: only
 * texts and colours change. So the rules run whose answer they can change: by night those on colours, which are the theme's
 * in every language; in another language those on names and languages. E2E_WHOLE=on runs all of them everywhere instead,
 * in every language, theme and width: ten minutes.
 */
async function inspect(
  page: Page,
  path: string,
  who: string,
  speak: (option: string, lang: string) => Promise<void>,
): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(path)
  await isThere(page)
  const file = `${path.split('?')[0]?.replaceAll('/', '_')}-${who}`
  for (const { lang, option, themes } of LANGUAGES) {
    await speak(option, lang)
    expect(await page.locator('body').textContent(), `${path} in ${lang} lacks a text`).not.toMatch(TEXT_KEY)
    for (const [size, window] of Object.entries(SIZES)) {
      await page.setViewportSize(window)
      expect(await overflow(page), `${path} in ${lang} is wider than the ${size} window`).toEqual([])
      if (size === 'desktop' && lang === 'en') await look(page, `${file}-${size}`)
      if (IS_WHOLE) await inBothThemes(page, () => findNothing(page))
    }
    if (IS_WHOLE) continue
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme })
      await look(page, `${file}-${lang}-${colorScheme}`)
      await findNothing(page, { only: lang !== 'en' ? 'names' : colorScheme === 'dark' ? 'colours' : null })
    }
  }
}

async function inBothThemes(page: Page, check: () => Promise<void>): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme })
    await check()
  }
}
