import { parseMicros } from '@rif/rules'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runWaiting } from '../../../jobs/testing/run-waiting.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { createAdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { createTestBooks, type TestBooks } from '../testing/test-books.ts'
import { createSettlementDays, type SettlementDaysService } from './days.service.ts'

const FIRST = '2026-01-30'
const SECOND = '2026-01-31'

let database: TestDatabase
let books: TestBooks
let days: SettlementDaysService
/** A settled day, and the last day of a month in settlement, on which every class has an amount due. */
beforeAll(async () => {
  database = await createTestDatabase()
  books = createTestBooks(database, FIRST)
  const { now, ledger, plans, pricing } = books
  const [log, adminLog] = [pino({ level: 'silent' }), createAdminLogService({ now })]
  days = createSettlementDays({ db: database.db, now, log, ledger, plans, pricing, adminLog })
  await books.begin()
  await books.price('AMC', '0.5')
  const root = await books.join(null, 'left')
  await books.buy(root, 5)
  const left = await books.join(root, 'left')
  const right = await books.join(root, 'right')
  await books.buy(left, 5)
  await books.buy(right, 5)
  books.tomorrow()
  books.advance(3_600_000)
  await books.settlement.settle(FIRST)
  // A pair below a member invited by the root: the root's management base reaches the first rank.
  await books.buy(await books.join(left, 'left'), 5)
  await books.buy(await books.join(left, 'right'), 5)
  await books.attest('USDT', parseMicros('20'))
  await books.attest('AMC', parseMicros('5'))
  await books.grant(left, 'USDT', parseMicros('500'))
  await books.attest('USDT', parseMicros('0.1'), 'savings_pool')
})
afterAll(() => database.close())

const runDryRun = () => runWaiting(database.url, days.dryRuns)

const countPostings = async () => {
  const { rows } = await sql<{ count: bigint }>`select count(*) from ledger_postings`.execute(database.db)
  return rows[0]!.count
}

it('computes the payments that settlement then makes, and posts nothing', async () => {
  const before = await countPostings()
  expect(await days.lastRun(database.db)).toEqual({ run: null })
  const request = await days.requestRun('0xa')
  expect(request.run).toMatchObject({ day: SECOND, step: 'waiting', result: null })
  // A request while one waits returns the waiting one.
  expect((await days.requestRun('0xb')).run?.run_id).toBe(request.run?.run_id)
  expect(await Promise.all([runDryRun(), runDryRun()])).toContain(false)
  expect(await runDryRun()).toBe(false)
  const { run } = await days.lastRun(database.db)
  expect(run).toMatchObject({
    step: 'done',
    failure: null,
    result: { day: SECOND, running: true, members: 5 },
  })
  expect(await countPostings()).toBe(before)
  const staged = await sql`select from settlement_members`.execute(database.db)
  expect(staged.rows).toEqual([])

  books.tomorrow()
  await books.settlement.settle(SECOND)
  const settled = await days.day(database.db, SECOND)
  const classes = run!.result!.batches.map((batch) => batch.class)
  expect(classes).toEqual(expect.arrayContaining(['pairing', 'management', 'static']))
  const byClass = (batches: typeof settled.batches) =>
    batches.filter((batch) => batch.class !== 'commission').toSorted((a, b) => (a.class < b.class ? -1 : 1))
  expect(byClass(settled.batches)).toEqual(byClass(run!.result!.batches))
  expect(settled).toMatchObject({
    state: 'settled',
    released_amc: run!.result!.released_amc,
    alarms: run!.result!.alarms,
  })
  expect(settled.ranges).toBe(settled.ranges_posted)
})

it('retakes a run whose worker has stopped reporting, and refuses one during a settlement', async () => {
  await days.requestRun('0xa')
  await sql`update jobs set step = 'running', beat_at = '2026-02-01' where step = 'waiting'`.execute(
    database.db,
  )
  books.advance(60_000)
  expect(await runDryRun()).toBe(false)
  books.advance(600_000)
  expect(await runDryRun()).toBe(true)
  expect((await days.lastRun(database.db)).run).toMatchObject({ step: 'done', day: '2026-02-01' })

  await days.requestRun('0xa')
  books.tomorrow()
  await books.settlement.prepare('2026-02-01')
  await runDryRun()
  expect((await days.lastRun(database.db)).run).toMatchObject({ step: 'failed', failure: 'DAY_OUT_OF_ORDER' })
  await expect(days.requestRun('0xa')).rejects.toMatchObject({ code: 'DAY_OUT_OF_ORDER' })
})

it('lists the days, newest first, with the problems of each', async () => {
  books.advance(3 * 3_600_000)
  const { items, next } = await days.list(database.db, { limit: 2 })
  expect(items.map(({ day, state }) => [day, state])).toEqual([
    ['2026-02-02', 'open'],
    ['2026-02-01', 'staged'],
  ])
  expect(items[1]!.alarms).toEqual(expect.arrayContaining(['late', 'stopped']))
  const rest = await days.list(database.db, { limit: 10, cursor: next! })
  expect(rest.items.map(({ day, state }) => [day, state])).toEqual([
    [SECOND, 'settled'],
    [FIRST, 'settled'],
  ])
  expect(rest.next).toBeNull()
  await expect(days.day(database.db, '2026-01-29')).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
