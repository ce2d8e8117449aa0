import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inTx } from '../../../db/database.ts'
import { runWaiting } from '../../../jobs/testing/run-waiting.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts'
import { pause, resume } from '../../access/gates/gates.service.ts'
import { createAdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import { priceKind } from '../proposal-kinds.ts'
import { createTestBooks } from '../testing/test-books.ts'
import { createSettlementDays } from './days.service.ts'
import { createSettlementRerun } from './rerun.service.ts'

const FIRST = '2026-03-02'
const SECOND = '2026-03-03'
const log = pino({ level: 'silent' })
const LAST_MS = '2026-03-02T23:59:59.999Z'

/** Creates books whose pool holds AMC of an order, without any published price of AMC unless one is given. */
async function stoppedBooks(database: TestDatabase, hasPrice: boolean) {
  const books = createTestBooks(database, FIRST)
  const { db, now, ledger, plans, pricing, settlement } = books
  const adminLog = createAdminLogService({ now })
  const days = createSettlementDays({ db, now, log, ledger, plans, pricing, adminLog })
  const rerun = createSettlementRerun({ db, now, log, settlement, days, adminLog })
  await books.begin()
  const root = await books.join(null, 'left')
  books.advance(3_600_000)
  await books.attest('AMC', 90_000_000n, 'yield_pool')
  await books.attest('USDT', 9_000_000n)
  // A package paid before the first day, as imported books would have it.
  await sql`
    insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
      full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, collected_at, paid_sequence)
    values (${root}, 5, 'Launch 10000', 5, '0x1', '0x', 10000000000, 500000, 7000000000, 6000000000, false, 'Paid',
      '2026-03-01T10:00:00Z', '2026-03-01T10:30:00Z', '2026-03-01T10:05:00Z', '2026-03-01T10:06:00Z', 1)`.execute(
    db,
  )
  const price = priceKind({ now, pricing, settlement })
  const publish = (valid_from: string) =>
    inTx(db, (dbTx) =>
      price.apply(
        dbTx,
        { asset: 'AMC', price: '0.5', valid_from },
        { proposalId: null, preparedBy: 'anna', decidedBy: 'ben', reason: 'it was forgotten' },
      ),
    )
  if (hasPrice) {
    books.goTo(FIRST, 86_399_999)
    await publish(LAST_MS)
  }
  books.goTo(SECOND, 3 * 3_600_000)
  return { ...books, days, rerun, publish, log: adminLog }
}

const databases: TestDatabase[] = []
let stopped: Awaited<ReturnType<typeof stoppedBooks>>
let undisturbed: typeof stopped
beforeAll(async () => {
  databases.push(await createTestDatabase(), await createTestDatabase())
  stopped = await stoppedBooks(databases[0]!, false)
  undisturbed = await stoppedBooks(databases[1]!, true)
})
afterAll(() => Promise.all(databases.map((database) => database.close())))

async function booked({ db }: typeof stopped): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    select row_to_json(p)::text as line from (
      select member_id, kind, asset, source, destination, amount, accounting_day from ledger_postings
      union all select member_id, type, batch, null, null, paid_micros, day from rewards
      union all select null, account, asset, null, null, amount, accounting_day from ledger_pool_day_sums
    ) as p order by 1`.execute(db)
  return rows.map(({ line }) => line)
}
const alarms = async () => (await stopped.days.day(stopped.db, FIRST)).alarms
const runRerun = () => runWaiting(databases[0]!.url, stopped.rerun.reruns)
const request = () => stopped.rerun.request('0xa', FIRST)

it('a day without a price is refused until two people set one, and is then settled as if it had never stopped', async () => {
  await expect(stopped.settlement.catchUp(0)).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  expect(await alarms()).toEqual(expect.arrayContaining(['late', 'price_missing']))
  await expect(request()).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  // A price from now on does not apply to the day.
  await stopped.publish(stopped.now().toISOString())
  await expect(request()).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  await expect(stopped.publish('2026-03-01T23:00:00Z')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  await stopped.publish(LAST_MS)
  await expect(stopped.publish('2026-03-02T23:59:59.999Z')).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  })

  await expect(stopped.rerun.request('0xa', SECOND)).rejects.toMatchObject({
    code: 'DAY_OUT_OF_ORDER',
    details: { day: FIRST },
  })
  const [first, second] = await Promise.all([request(), request()])
  expect(first.rerun).toMatchObject({ day: FIRST, step: 'waiting', failure: null })
  expect(second.rerun?.rerun_id).toBe(first.rerun?.rerun_id)
  expect(await Promise.all([runRerun(), runRerun()])).toContain(false)
  expect((await stopped.rerun.last()).rerun).toMatchObject({ step: 'done', failure: null })
  expect(await alarms()).not.toContain('price_missing')
  expect((await stopped.days.day(stopped.db, FIRST)).state).toBe('settled')

  await undisturbed.settlement.settle(FIRST)
  expect(await booked(stopped)).toEqual(await booked(undisturbed))
  const entries = async (action: string) =>
    (await stopped.log.list(stopped.db, { action, limit: 10 })).items.map((entry) => [
      entry.action,
      entry.actor,
    ])
  expect(await entries('settlement.rerun')).toEqual([
    ['settlement.rerun.end', 'worker'],
    ['settlement.rerun', '0xa'],
  ])
})

it('a run whose worker died is retaken, and a pause in the meantime ends it', async () => {
  const { db, rerun } = stopped
  stopped.goTo('2026-03-04', 3 * 3_600_000)
  await rerun.request('0xa', SECOND)
  await sql`update jobs set step = 'running', beat_at = ${stopped.now()} where finished_at is null`.execute(
    db,
  )
  expect(await runRerun()).toBe(false)
  stopped.advance(60_000)
  await pause(db, { area: 'settlement', pausedBy: 'olga', reason: 'look first', pausedAt: stopped.now() })
  expect(await runRerun()).toBe(true)
  expect((await rerun.last()).rerun).toMatchObject({ day: SECOND, step: 'failed', failure: 'PAUSED' })
  await expect(rerun.request('0xa', SECOND)).rejects.toMatchObject({ code: 'PAUSED' })
  await resume(db, 'settlement')
  await rerun.request('0xa', SECOND)
  expect(await runRerun()).toBe(true)
  expect((await rerun.last()).rerun).toMatchObject({ day: SECOND, step: 'done' })
  await expect(rerun.request('0xa', SECOND)).rejects.toMatchObject({ code: 'DAY_OUT_OF_ORDER' })
  expect(await runRerun()).toBe(false)
})
