import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'puppeteer-core'

/** Simulates a phone: the browser runs at a quarter of the machine's speed. */
export const CPU_SLOWDOWN = 4
const ROWS = 10_000
const ROUNDS = 3
/** Interactions per round. */
const INTERACTIONS = 20
/** The pause between two interactions, during which the wheel keeps the list moving. */
const BETWEEN_MS = 120
const WHEEL_PX = 900
/** Event timing reports no shorter durations. */
export const UNREPORTED_MS = 16

/** Interaction to next paint in milliseconds: the 75th and the 98th percentile. */
export interface Interactions {
  readonly p75: number
  readonly p98: number
  readonly count: number
}

export interface ListInteractions {
  readonly list: Interactions
  /** The same rows as plain elements in a bare document, scrolled in the same way: the browser's own time. */
  readonly floor: Interactions
}

/**
 * Scrolls a list of 10,000 orders with wheel and keys in a slowed-down browser, alternately with the floor.
 * The caller provides a session.
 */
export async function listInteractions(browser: Browser, baseUrl: string): Promise<ListInteractions> {
  const floor: number[] = []
  const list: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    floor.push(
      ...(await scrolled(browser, async (page) => {
        await page.goto(`${baseUrl}/health`)
        await page.setContent(plainList())
      })),
    )
    list.push(
      ...(await scrolled(browser, async (page) => {
        await answerWithOrders(page)
        await page.goto(`${baseUrl}/pages/shop/orderList`)
        await page.waitForSelector('main ul li[aria-posinset="1"]')
      })),
    )
  }
  return { list: summary(list), floor: summary(floor) }
}

/** Returns the durations of the interactions of one round, in ms. */
async function scrolled(browser: Browser, open: (page: Page) => Promise<void>): Promise<number[]> {
  const page = await browser.newPage()
  try {
    await page.setViewport({ width: 390, height: 844, deviceScaleFactor: 2 })
    await page.evaluateOnNewDocument(recordInteractions)
    await open(page)
    // The recorder has not run in a page that was not opened as a document of its own, such as the bare one.
    await page.evaluate(recordInteractions)
    await page.emulateCPUThrottling(CPU_SLOWDOWN)
    await page.mouse.move(195, 500)
    for (let n = 0; n < INTERACTIONS; n++) {
      const wheel = page.mouse.wheel({ deltaY: WHEEL_PX })
      await page.keyboard.press('PageDown')
      await wheel
      await sleep(BETWEEN_MS)
    }
    await sleep(500)
    const moved = await page.evaluate(() => window.scrollY)
    if (moved < INTERACTIONS * WHEEL_PX * 0.5) throw new Error(`the list was scrolled by ${moved} px only`)
    const durations = Object.values(await page.evaluate(() => window.__interactions ?? {}))
    return [...durations, ...Array.from({ length: INTERACTIONS - durations.length }, () => UNREPORTED_MS)]
  } finally {
    await page.close()
  }
}

declare global {
  interface Window {
    __interactions?: Record<string, number>
  }
}

/** Runs in the page and records the longest event of each interaction, as the web vital INP counts them. */
export function recordInteractions(): void {
  if (window.__interactions !== undefined) return
  const interactions: Record<string, number> = {}
  window.__interactions = interactions
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[]) {
      const id = entry.interactionId ?? 0
      if (id > 0) interactions[id] = Math.max(interactions[id] ?? 0, entry.duration)
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
}

/** Returns the 75th and the 98th percentile of durations in milliseconds. */
export function summary(durations: readonly number[]): Interactions {
  const sorted = [...durations].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)]!
  return { p75: at(0.75), p98: at(0.98), count: sorted.length }
}

/**
 * The demonstration has only a handful of orders, so its first one is returned ten thousand times, on one page. Only once: when its
 * stream opens, the app reads lists of up to four pages again, but never one of ten thousand rows, which has two hundred.
 */
async function answerWithOrders(page: Page): Promise<void> {
  await page.setBypassServiceWorker(true)
  await page.setRequestInterception(true)
  let isAnswered = false
  page.on('request', async (request) => {
    const url = new URL(request.url())
    if (!url.pathname.endsWith('/order/all')) return request.continue()
    if (isAnswered) return
    isAnswered = true
    const answer = await fetch(url, { headers: request.headers() })
    const body = await answer.json()
    const [first] = body.data.items
    body.data.items = Array.from({ length: ROWS }, (_, n) => ({ ...first, order_id: String(10_000_000 + n) }))
    body.data.next = null
    await request.respond({ contentType: 'application/json', body: JSON.stringify(body) })
  })
}

function plainList(): string {
  const row =
    '<li style="height:76px;margin-bottom:12px">Launch 100<br>2026-01-31 09:05 100.00 USDT Paid</li>'
  return `<!doctype html><ul>${row.repeat(ROWS)}</ul>`
}
