import { expect, type Page } from '@playwright/test'
import { api } from './product.ts'

/** The declared pages. The types of the web app stay out of this program, which knows no JSX. */
const { pages }: { pages: Record<string, { open?: true; admin?: true }> } = await import(
  String(new URL('../../apps/web/src/app/pages.ts', import.meta.url))
)

export const THEMES = ['light', 'dark'] as const
/** The options of the language page that have texts of their own, with the document's `lang`, English first. */
export const LANGUAGES = [
  { option: 'en', lang: 'en' },
  { option: 'zh-Hant', lang: 'zh-Hans' },
  { option: 'ja', lang: 'ja' },
  { option: 'ko', lang: 'ko' },
] as const

const firstOf = async (page: Page, list: string, id: string) => {
  const { items } = await api<{ items: Record<string, string>[] }>(page, list)
  const itemId = items[0]?.[id]
  if (itemId === undefined) throw new Error(`the demonstration's member has nothing in ${list}`)
  return `?${id}=${itemId}`
}
const anOrder = (page: Page) => firstOf(page, 'order/all', 'order_id')
const aWithdrawal = (page: Page) => firstOf(page, 'withdraws', 'withdraw_id')
const aFundOrder = (page: Page) => firstOf(page, 'fund/orders', 'order_id')
const aProduct = (page: Page) => firstOf(page, 'fund/products', 'product_id')
const aRedemption = (page: Page) => firstOf(page, 'fund/redemptions', 'redemption_id')
/** The pages that need a query string. */
const QUERIES: Partial<Record<string, (page: Page) => Promise<string>>> = {
  '/pages/shop/shopOrderDetail': anOrder,
  '/pages/shop/paySuccess': anOrder,
  '/pages/withdrawal/detail': aWithdrawal,
  '/pages/withdrawal/withdrawalSunccess': aWithdrawal,
  // An unknown transaction, which the page reports.
  '/pages/localWallet/result': async () => `?tx_hash=0x${'1'.repeat(64)}`,
  // The page asks before it sends the token.
  '/pages/my/stopNotices': async () => `?token=${'a'.repeat(40)}`,
  '/pages/found/productDetail': aProduct,
  '/pages/found/buy': aProduct,
  '/pages/found/redemption': aProduct,
  '/pages/found/pay': aFundOrder,
  '/pages/found/pay_success': aFundOrder,
  '/pages/found/order_detail': aFundOrder,
  '/pages/found/newOrderDetail': aFundOrder,
  '/pages/found/redemption_success': aRedemption,
  '/pages/found/month_detail': (page) => firstOf(page, 'fund/bills', 'month'),
  '/pages/rewardList/activity': (page) => firstOf(page, 'me/activity', 'activity_id'),
  '/pages/rewardList/detail': (page) => firstOf(page, 'profit/all', 'reward_id'),
}

/** Returns the path with the query string that the page needs, taken from the signed-in member's own data. */
export const withQuery = async (page: Page, path: string) => path + ((await QUERIES[path]?.(page)) ?? '')

const paths = Object.keys(pages)
/** An address that no page has. */
export const NOWHERE = '/pages/nowhere'
/** Every page of the app's table, and an address that no page has. */
export const everyPath = [...paths, NOWHERE]
/** The pages that a visitor sees before signing in. */
export const openPaths = [...paths.filter((path) => pages[path]?.open), NOWHERE]
const isOfAdmins = (path: string) => pages[path]?.admin === true
export const adminPaths = paths.filter(isOfAdmins)
export const memberPaths = [
  ...paths.filter((path) => path !== '/pages/login/index' && !isOfAdmins(path)),
  NOWHERE,
]

interface Router {
  history: { replace: (path: string) => void }
  state: { status: string; location: { href: string }; resolvedLocation?: { href: string } }
}

/** Opens a page. From another page of the app, the app's own router changes it, which is a third of the work of loading it anew. */
export async function changeTo(page: Page, path: string): Promise<void> {
  if (!(await page.evaluate(() => '__TSR_ROUTER__' in self))) {
    await page.goto(path)
    return
  }
  await page.evaluate((to) => {
    const router = Reflect.get(self, '__TSR_ROUTER__') as Router
    router.history.replace(to)
  }, path)
  await page.waitForFunction(() => {
    const { status, location, resolvedLocation } = (Reflect.get(self, '__TSR_ROUTER__') as Router).state
    return status === 'idle' && resolvedLocation?.href === location.href
  })
}

/** Chooses languages in a second tab: the page under test changes its language without a reload. */
export async function inAnotherTab(page: Page) {
  const tab = await page.context().newPage()
  await tab.goto('/robots.txt')
  // A page behind another one is drawn once a second at most.
  await page.bringToFront()
  return async (option: string, lang: string) => {
    await tab.evaluate((value) => localStorage.setItem('locale', value), option)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
  }
}
