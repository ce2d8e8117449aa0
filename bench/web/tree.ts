import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'puppeteer-core'
import { createApp } from '../../apps/server/src/app.ts'
import { createDatabase } from '../../apps/server/src/db/database.ts'
import { migrateSimulation } from '../../apps/server/src/db/simulation.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import { startPostgres } from '../../apps/server/src/local/postgres.ts'
import { openSessions } from '../api/members.ts'
import { servicesOn } from '../kit/services.ts'
import { POSTGRES } from '../kit/settings.ts'
import { fillTree } from '../tree/fill.ts'
import { CPU_SLOWDOWN, type Interactions, recordInteractions, summary, UNREPORTED_MS } from './interaction.ts'

/**
 * The number of members below the signed-in member; 10,000 of them are shown, the most that the app shows at
 * once.
 */
const MEMBERS = Number(process.env.BENCH_TREE_MEMBERS ?? 1_000_000)
const WEB_ROOT = new URL('../../apps/web/dist', import.meta.url).pathname
const NO_LIMITS = { perIp: 1e12, perMember: 1e12, signInPerIp: 1e12 }
const PORT = 18_096
const DESKTOP = { width: 1280, height: 800, deviceScaleFactor: 2 }
const DRAGS = 20
const MOVES_PER_DRAG = 8
const ZOOMS = 60
const KEYS = 60
const BETWEEN_MS = 40

export interface TreeInteractions {
  /** Dragging at 30%, where the most nodes are visible: from each pointer movement to the next frame. */
  readonly pan: Interactions
  /** Zooming with the wheel from 30% to 300% and back. */
  readonly zoom: Interactions
  /** Navigating with arrow keys and clicks, as the web vital INP counts them. */
  readonly walk: Interactions
}

/**
 * Drags, zooms and navigates through a team of a million, of which 10,000 are shown, in a slowed-down
 * browser.
 */
export async function treeInteractions(browser: Browser): Promise<TreeInteractions> {
  return onLargeTree(async (baseUrl, session) => {
    const page = await browser.newPage()
    try {
      await page.setViewport(DESKTOP)
      await page.evaluateOnNewDocument(recordInteractions)
      await page.evaluateOnNewDocument(recordMovements)
      await page.goto(`${baseUrl}/health`)
      await page.evaluate((items) => {
        for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
      }, session)
      await showTree(page, baseUrl)
      await page.emulateCPUThrottling(CPU_SLOWDOWN)
      return await measure(page)
    } finally {
      await page.close()
    }
  })
}

/** The app and its API on a database with the large tree, and the session of the top member. */
async function onLargeTree<T>(
  work: (baseUrl: string, session: Record<string, string>) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rif-bench-'))
  const server = await startPostgres({ dataDir, settings: POSTGRES })
  try {
    await migrateSimulation(server.adminUrl)
    const database = createDatabase({ url: server.adminUrl, max: 4, applicationName: 'rif-bench' })
    try {
      await fillTree(database, MEMBERS + 1, 'random')
      process.stderr.write('the tree has grown\n')
      const services = servicesOn(database)
      await services.plans.ensureDefault(database.db)
      const [top] = await openSessions(services, [1n], 1)
      const log = createLogger({ level: 'silent' })
      const app = await createApp(services, { log, webRoot: WEB_ROOT, rateLimits: NO_LIMITS })
      try {
        const baseUrl = await app.listen({ port: PORT, host: 'localhost' })
        // The sheet that requests acceptance of the terms would cover the tree.
        const accepted_terms = `${top!.address.toLowerCase()} ${(await services.termsTexts.inForce()).version}`
        return await work(baseUrl, { token: top!.token, token_address: top!.address, accepted_terms })
      } finally {
        await app.close()
      }
    } finally {
      await database.close()
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function showTree(page: Page, baseUrl: string): Promise<void> {
  await page.goto(`${baseUrl}/pages/my/invite/inviteTree`)
  await page.waitForSelector('[role=tree] [role=treeitem]')
  await page.locator('::-p-aria([name="Expand all"][role="button"])').click()
  await page.locator('::-p-text(are shown at once)').setTimeout(120_000).wait()
  await page.locator('::-p-aria([name="Fullscreen"][role="button"])').click()
}

async function measure(page: Page): Promise<TreeInteractions> {
  const middle = { x: DESKTOP.width / 2, y: DESKTOP.height / 2 }
  await page.mouse.move(middle.x, middle.y)
  await zoomBy(page, 1_000, 3)
  await take(page)

  for (let drag = 0; drag < DRAGS; drag++) {
    await page.mouse.move(middle.x, middle.y)
    await page.mouse.down()
    const direction = drag % 4 < 2 ? 1 : -1
    for (let step = 1; step <= MOVES_PER_DRAG; step++) {
      await page.mouse.move(middle.x + direction * step * 60, middle.y - (drag % 2) * step * 30)
      await sleep(BETWEEN_MS)
    }
    await page.mouse.up()
  }
  const pan = await take(page)

  await zoomBy(page, -51, ZOOMS / 2)
  await zoomBy(page, 51, ZOOMS / 2)
  const zoom = await take(page)

  await page.focus('[role=tree]')
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(
      (['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'] as const)[key % 5]!,
    )
    await sleep(3 * BETWEEN_MS)
  }
  const durations = Object.values(await page.evaluate(() => window.__interactions ?? {}))
  const walk = [
    ...durations,
    ...Array.from({ length: Math.max(0, KEYS - durations.length) }, () => UNREPORTED_MS),
  ]
  return { pan: summary(pan), zoom: summary(zoom), walk: summary(walk) }
}

async function zoomBy(page: Page, deltaY: number, times: number): Promise<void> {
  for (let step = 0; step < times; step++) {
    await page.mouse.wheel({ deltaY })
    await sleep(BETWEEN_MS)
  }
}

declare global {
  interface Window {
    __movements?: number[]
  }
}

/** Returns the movements since the last call. */
async function take(page: Page): Promise<number[]> {
  await sleep(500)
  const movements = await page.evaluate(() => window.__movements?.splice(0) ?? [])
  if (movements.length === 0) throw new Error('nothing has moved')
  return movements
}

/**
 * Runs in the page and waits for the frame after each movement, because event timing does not report
 * movements.
 */
function recordMovements(): void {
  window.__movements = []
  for (const type of ['wheel', 'pointermove'] as const) {
    window.addEventListener(
      type,
      (event) => {
        if (type === 'pointermove' && event.buttons === 0) return
        requestAnimationFrame(() => {
          const afterPaint = new MessageChannel()
          afterPaint.port1.onmessage = () => window.__movements?.push(performance.now() - event.timeStamp)
          afterPaint.port2.postMessage(null)
        })
      },
      { capture: true, passive: true },
    )
  }
}
