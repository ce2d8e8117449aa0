import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inDbTx } from '../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestBooks } from './settlement.fixture.ts'

const CHILD = fileURLToPath(new URL('./settlement.kill-child.fixture.ts', import.meta.url))
const FIRST_DAY = '2026-01-29'
const TODAY = '2026-02-02'
const MEMBERS = 45
const KILLS = 10

/** Four days of orders, a month's end among them, none settled; and the books after settling them undisturbed. */
let unsettled: TestDatabase
let expected: unknown
let undisturbedMs: number

beforeAll(async () => {
  unsettled = await createTestDatabase()
  const books = createTestBooks(unsettled, FIRST_DAY)
  await books.begin()
  await books.price('AMC', '0.37')
  const ids = [await books.join(null, 'auto')]
  while (ids.length < MEMBERS) ids.push(await books.join(ids[((ids.length * 7) % ids.length) >> 1]!, 'auto'))
  for (const day of [FIRST_DAY, '2026-01-30', '2026-01-31', '2026-02-01']) {
    books.goTo(day, 1)
    for (const [place, memberId] of ids.entries()) {
      if ((place + day.charCodeAt(9)) % 3 === 0) await books.buy(memberId, 1 + (place % 5))
    }
    await books.attest('USDT', 77_000_007n)
    await books.attest('AMC', 31_000_003n)
    await books.attest('USDT', 1_000_001n, 'savings_pool')
    for (const memberId of ids.slice(0, 20)) {
      await books.grant(memberId, 'USDT', 700_000_007n)
      const order = { asset: 'USDT', amountMicros: 600_000_001n } as const
      await inDbTx(books.db, (dbTx) => books.savings.transferIn(dbTx, memberId, order))
    }
  }
  await unsettled.db.destroy()
  const undisturbed = await createTestDatabase({ copyOf: unsettled.url })
  const begun = performance.now()
  await settleAll(undisturbed)
  undisturbedMs = performance.now() - begun
  expected = await contentOf(undisturbed)
  await undisturbed.close()
}, 120_000)
afterAll(() => unsettled.close())

async function settleAll({ db }: Pick<TestDatabase, 'db'>): Promise<void> {
  const books = createTestBooks({ db }, FIRST_DAY)
  books.goTo(TODAY)
  await books.settlement.catchUp(0)
}

/** Everything that settlement writes, but the numbers of the records. */
async function contentOf({ db }: TestDatabase): Promise<unknown> {
  const tables: unknown[] = []
  for (const query of [
    sql`select member_id, seq, kind, idempotency_key, cause_type, cause_id, accounting_day from ledger_transactions`,
    sql`select member_id, seq, line, kind, asset, source, destination, amount, accounting_day from ledger_postings`,
    sql`select member_id, asset, account, balance from ledger_balances`,
    sql`select account, asset, balance, reserved from ledger_pools`,
    sql`select account, asset, accounting_day, amount from ledger_pool_days`,
    sql`select member_id, batch, type, order_id, base_micros, value_micros, coverage_ppm, paid_micros, usdt_micros,
      amc_micros, flushed_micros from rewards`,
    sql`select * from reward_totals`,
    sql`select * from reward_days`,
    sql`select * from reward_coverage`,
    sql`select * from member_standings`,
    sql`select * from savings_interest`,
    sql`select day, asset, pool_micros, due_micros, paid_micros, coverage_ppm from savings_batches`,
    sql`select member_id, order_id, static_paid_micros from orders`,
    sql`select day, state from settlement_days`,
  ]) {
    const { rows } = await sql<{ line: string }>`
      select row_to_json(found)::text as line from (${query}) as found order by 1`.execute(db)
    tables.push(rows.map((row) => row.line))
  }
  return tables
}

async function requireExpected(database: TestDatabase): Promise<void> {
  expect(await contentOf(database)).toEqual(expected)
  expect(await createTestBooks(database, FIRST_DAY).audit()).toEqual([])
}

/** Runs a process that settles all, and kills it some time after it began; to its end without. Returns whether it ended. */
async function runChild(url: string, killAfterMs?: number): Promise<boolean> {
  const args = ['--import', 'tsx', '--conditions=source', CHILD, url, FIRST_DAY, TODAY]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  let done = false
  for await (const line of createInterface(child.stdout)) {
    if (line === 'done') done = true
    else if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  }
  await closed
  return done
}

test('killed at any moment and started again, a worker leaves the books of an undisturbed run', async () => {
  const database = await createTestDatabase({ copyOf: unsettled.url })
  let done = false
  for (let kill = 0; kill < KILLS && !done; kill++) {
    done = await runChild(database.url, Math.random() * 0.4 * undisturbedMs)
  }
  if (!done) expect(await runChild(database.url)).toBe(true)
  await requireExpected(database)
  await database.close()
}, 180_000)

test('so does one whose connections the database cuts', async () => {
  const database = await createTestDatabase({ copyOf: unsettled.url })
  const worker = await createTestDatabase({ copyOf: unsettled.url })
  let cuts = 0
  let settling = true
  async function cut(): Promise<void> {
    while (settling) {
      await sleep(10 + Math.random() * 0.1 * undisturbedMs)
      const { rowCount } = await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and state <> 'idle'`,
        [new URL(worker.url).pathname.slice(1)],
      )
      cuts += rowCount ?? 0
    }
  }
  const cutting = cut()
  for (;;) {
    const failed = await settleAll(worker).then(
      () => false,
      () => true,
    )
    if (!failed || cuts > 50) break
  }
  settling = false
  await cutting
  await settleAll(worker)
  expect(cuts).toBeGreaterThan(0)
  await requireExpected(worker)
  await worker.close()
  await database.close()
}, 180_000)

test('workers that settle at once share the ranges, and settle once', async () => {
  const database = await createTestDatabase({ copyOf: unsettled.url, max: 20 })
  await Promise.all([runChild(database.url), settleAll(database), settleAll(database)])
  await requireExpected(database)
  await database.close()
}, 120_000)
