import { nextDay } from '@rif/rules'
import { sql } from 'kysely'
import type { Database } from '../../apps/server/src/db/database.ts'
import { createTestBooks } from '../../apps/server/src/modules/settlement/testing/test-books.ts'
import { type Floor, markdownTable } from '../kit/report.ts'
import { inRounds, median, medianRatio } from '../kit/rounds.ts'
import { FIRST_DAY, fillBooks } from '../settlement/books.ts'
import { runWorker } from '../settlement/run-worker.ts'
import type { Load, LoadReport } from './load.ts'
import { PLAN, type Product, startProduct, THIS_TREE, type Wallet } from './product.ts'

const AT_LEAST = 0.6
const P99_AT_MOST = 3
/** As in the product. */
const POOL_SIZE = 20

interface Settings {
  readonly url: string
  /** The members of the settled days, and those of them who send requests. */
  readonly members: number
  readonly callers: number
  readonly connections: number
  readonly rounds: number
  readonly seconds: number
}

/**
 * Measures the load while a worker settles a day of many members, by turns with the same load and no settlement. The callers are
 * among the members of the day, so the settlement locks their heads too.
 */
export async function compareWithSettlement(load: Load, settings: Settings): Promise<Floor[]> {
  const { url, members, rounds } = settings
  const days = [FIRST_DAY]
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) days.push(nextDay(days.at(-1)!))
  const product = await startProduct(THIS_TREE, url, {
    callers: settings.callers,
    fill: (database, wallets) => fillDays(database, { url, members, days, wallets }),
    pool: { max: POOL_SIZE, hasPools: true },
  })
  try {
    return await compare(load, product, days.slice(1), settings)
  } finally {
    await product.close()
  }
}

/** Fills the books of the days, and settles the first. Returns the members who own the wallets. */
async function fillDays(
  database: Database,
  what: {
    readonly url: string
    readonly members: number
    readonly days: readonly string[]
    readonly wallets: readonly Wallet[]
  },
): Promise<bigint[]> {
  const { url, members, days, wallets } = what
  await fillBooks(database, members, 'random', days)
  const books = createTestBooks(database, FIRST_DAY)
  await books.plans.ensureDefault(database.db, PLAN)
  await books.begin()
  await runWorker(url, FIRST_DAY)
  const ids = wallets.map((_, index) => BigInt(1 + Math.floor((index * members) / wallets.length)))
  const addresses = wallets.map(({ address }) => address.toLowerCase())
  await database.db.transaction().execute(async (dbTx) => {
    // A wallet's address never changes, so a trigger refuses it.
    await sql`set local session_replication_role = replica`.execute(dbTx)
    await sql`
      update members set address = wallet.address
      from unnest(${ids}::bigint[], ${addresses}::text[]) as wallet (member_id, address)
      where members.member_id = wallet.member_id`.execute(dbTx)
  })
  process.stderr.write(`${members.toLocaleString('en')} members: the first day is settled\n`)
  return ids
}

async function compare(
  load: Load,
  { address, callers, audit, database }: Product,
  days: string[],
  { url, members, connections, rounds, seconds }: Settings,
): Promise<Floor[]> {
  const reports: Record<'alone' | 'settling', LoadReport[]> = { alone: [], settling: [] }
  const order = { address, callers, connections }
  const settled: number[] = []
  const rate = (name: keyof typeof reports, put: () => Promise<LoadReport>) => async () => {
    const report = await put()
    reports[name].push(report)
    return report.perSecond
  }
  const settleOne = async () => {
    settled.push((await runWorker(url, days.shift()!)).seconds)
  }
  await load.put({ ...order, seconds })
  await database.pool.query('vacuum analyze')
  const figures = await inRounds(rounds, {
    alone: rate('alone', () => load.put({ ...order, seconds })),
    settling: rate('settling', () => load.putDuring(order, settleOne)),
  })
  await audit()
  const counted = { alone: reports.alone.slice(1), settling: reports.settling.slice(1) }
  const ratio = medianRatio(figures.settling, figures.alone)
  const p99 = (name: keyof typeof reports) => counted[name].map(({ p99Ms }) => p99Ms)
  const slower = medianRatio(p99('settling'), p99('alone'))
  const failed = [...reports.alone, ...reports.settling].flatMap(({ errors }) => errors)
  const row = (what: string, name: keyof typeof reports, ratios: string[]) => [
    what,
    median(figures[name]),
    `${median(counted[name].map(({ p50Ms }) => p50Ms)).toFixed(0)} ms`,
    `${median(p99(name)).toFixed(0)} ms`,
    counted[name].reduce((sum, { busy }) => sum + busy, 0),
    ...ratios,
  ]
  console.log(
    `${connections} connections, ${callers.length} of ${members.toLocaleString('en')} members, medians of ${rounds} rounds in turns; ` +
      `a day took ${median(settled.slice(1)).toFixed(1)} s\n`,
  )
  const head = ['load', 'operations/s', 'p50', 'p99', 'answers with 503', 'ratio', 'p99 to p99']
  const rows = [
    row('no settlement', 'alone', ['', '']),
    row('while a day is settled', 'settling', [ratio.toFixed(2), slower.toFixed(2)]),
  ]
  console.log(`${markdownTable(head, rows)}\n`)
  if (failed.length > 0) console.log(`the first error: ${failed[0]}\n`)
  return [
    { name: 'operations while a day is settled to those without', value: ratio, atLeast: AT_LEAST },
    { name: 'p99 while a day is settled to that without', value: slower, atMost: P99_AT_MOST },
    { name: 'failed operations', value: failed.length, atMost: 0 },
  ]
}
