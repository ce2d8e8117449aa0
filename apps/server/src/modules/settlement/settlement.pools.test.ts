import { setTimeout as sleep } from 'node:timers/promises'
import { defaultPlan, nextDay, serialisePlan } from '@rif/rules'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { type Db, inTx } from '../../db/database.ts'
import { signal } from '../../testing/signal.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { auditLedger } from '../books/ledger/audit.ts'
import { ANALYTICS_CHECKS } from '../desk/analytics/audit.ts'
import { createDividends } from '../exchange/exchange.dividends.service.ts'
import { PLACEMENT_CHECKS } from '../members/placement/audit.ts'
import { REWARD_CHECKS } from '../rewards/audit.ts'
import { createBulkRewards } from '../rewards/rewards.bulk.service.ts'
import { SAVINGS_CHECKS } from '../savings/audit.ts'
import { createSavingsInterestBook } from '../savings/savings.interest.service.ts'
import { SETTLEMENT_CHECKS } from './audit.ts'
import { postNextRange } from './steps/posting.service.ts'
import { createTestBooks } from './testing/test-books.ts'

const CHECKS = [
  ...REWARD_CHECKS,
  ...SAVINGS_CHECKS,
  ...SETTLEMENT_CHECKS,
  ...PLACEMENT_CHECKS,
  ...ANALYTICS_CHECKS,
]
let database: TestDatabase

afterEach(() => database.close())

test('orders of the next day that take more AMC than they bring leave a late settlement the remainder', async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  const books = createTestBooks(database, '2026-01-01')
  await books.begin()
  await books.price('AMC', '0.5')
  const root = await books.join(null, 'auto')
  const [left, right] = [await books.join(root, 'left'), await books.join(root, 'right')]
  for (const [memberId, level] of [
    [root, 5],
    [left, 1],
    [right, 1],
  ] as const)
    await books.buy(memberId, level)
  // From the second day on packages are paid in USDT alone, while rewards are still 30% AMC.
  const plan = { ...defaultPlan, order: { ...defaultPlan.order, usdtSharePpm: 1_000_000 } }
  await inTx(books.db, (dbTx) =>
    books.plans.publish(dbTx, { plan: serialisePlan(plan), effectiveDay: '2026-01-02', actor: 'test' }),
  )
  books.tomorrow()
  const atEndOfDay = await books.ledger.pools.balances(books.db, 'commission_pool', '2026-01-01')
  for (let order = 0; order < 18; order++) await books.buy(left, 5)
  const free = await books.ledger.pools.balances(books.db, 'commission_pool')
  expect(free.AMC).toBeLessThan(atEndOfDay.AMC)

  await books.settlement.settle('2026-01-01')
  const { rows } = await sql`
    select pool_usdt_micros as usdt, pool_amc_micros as amc from reward_batches where class = 'pairing'`.execute(
    books.db,
  )
  expect(rows).toEqual([{ usdt: atEndOfDay.USDT, amc: free.AMC }])
  const spreads = await books.db
    .selectFrom('notice_spreads')
    .select(['event', 'facts'])
    .orderBy('event')
    .execute()
  expect(spreads).toEqual([
    { event: 'plan/2026-01-02', facts: { day: '2026-01-02' } },
    { event: 'rewards/2026-01-01', facts: { day: '2026-01-01' } },
  ])
  expect(await books.audit()).toEqual([])
})

test('a pool with AMC and no price ever stops the settlement before anything is posted', async () => {
  database = await createTestDatabase()
  const books = createTestBooks(database, '2026-01-01')
  await books.begin()
  const root = await books.join(null, 'auto')
  // No service sells a package without a price, so this one is written directly.
  await sql`
    insert into orders (member_id, package_id, package_name, level, payer, bank, price_micros, amc_price_micros,
      full_usdt_micros, full_amc_micros, use_hash_rate, status, created_at, expires_at, paid_at, collected_at,
      paid_sequence)
    values (${root}, 1, 'Launch 100', 1, '0x', '0x', 100000000, 500000, 70000000, 60000000, false, 'Paid', ${books.now()},
      ${books.now()}, ${books.now()}, ${books.now()}, 1)`.execute(books.db)
  await books.attest('AMC', 1_000_000n)
  books.goTo('2026-01-03')
  await books.settlement.settle('2026-01-01')
  await expect(books.settlement.settle('2026-01-02')).rejects.toMatchObject({ code: 'PRICE_UNAVAILABLE' })
  expect(await books.settlement.nextToSettle()).toBe('2026-01-02')
  const { rows } = await sql`
    select (select count(*)::integer from rewards) as rewards, (select count(*)::integer from settlement_days) as days,
      (select sum(reserved)::integer from ledger_pools) as reserved`.execute(books.db)
  expect(rows).toEqual([{ rewards: 0, days: 1, reserved: 0 }])
})

test("a member's own daily cap applies from the day it is set on, and never above the level's", async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  const books = createTestBooks(database, '2026-01-01')
  await books.begin()
  await books.price('AMC', '0.5')
  const root = await books.join(null, 'auto')
  const [left, right] = [await books.join(root, 'left'), await books.join(root, 'right')]
  const setCap = (capMicros: bigint | null) =>
    books.dayCaps.set(books.db, { memberId: root, capMicros, actor: 'operator' })
  await books.buy(root, 1)
  // Each day 1,000 on both sides: 6% are 60, the level's cap is 100.
  const caps = [null, 7_000_000n, 500_000_000n, 0n]
  for (const [place, cap] of caps.entries()) {
    if (place > 0) await setCap(cap)
    await books.buy(left, 3)
    await books.buy(right, 3)
    books.tomorrow()
  }
  // Set after midnight, so not for the previous day, which is settled later.
  await setCap(null)
  await books.settlement.catchUp(0)
  const { rows } = await sql`
    select day, value_micros as value, flushed_micros as flushed from rewards where type = 'PairingReward' order by day`.execute(
    books.db,
  )
  expect(rows).toEqual([
    { day: '2026-01-01', value: 60_000_000n, flushed: 0n },
    { day: '2026-01-02', value: 7_000_000n, flushed: 53_000_000n },
    { day: '2026-01-03', value: 60_000_000n, flushed: 0n },
  ])
  expect(await books.dayCaps.capAt(books.db, root, '2026-01-02')).toBe(7_000_000n)
  await expect(setCap(-1n)).rejects.toMatchObject({ code: 'INVALID_AMOUNT' })
  const { rows: logged } = await sql`select action, before, after from admin_actions where actor = 'operator'
    order by action_id limit 2`.execute(books.db)
  expect(logged).toEqual([
    { action: 'day-cap.set', before: null, after: '7.000000' },
    { action: 'day-cap.set', before: '7.000000', after: '500.000000' },
  ])
  expect(await books.audit()).toEqual([])
})

test('a price, a pause and a cap from before midnight count for their day, however late they commit', async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  const books = createTestBooks(database, '2026-01-01')
  await books.begin()
  await books.price('AMC', '0.5')
  const root = await books.join(null, 'auto')
  const { db, pricing, management, dayCaps } = books
  const decisions: ((dbTx: Db) => Promise<unknown>)[] = [
    (dbTx) => pricing.publish(dbTx, { asset: 'AMC', priceMicros: 700_000n, actor: 'test' }),
    (dbTx) => management.set(dbTx, root, true),
    (dbTx) => dayCaps.set(dbTx, { memberId: root, capMicros: 5n, actor: 'test' }),
  ]
  for (const decide of decisions) {
    const day = books.today()
    books.goTo(nextDay(day), -1)
    const [decided, committed] = [signal(), signal()]
    const late = inTx(db, async (dbTx) => {
      await decide(dbTx)
      decided.give()
      await committed.promise
    })
    await decided.promise
    books.goTo(nextDay(day))
    let isSettled = false
    const settling = books.settlement.settle(day).then(() => {
      isSettled = true
    })
    await sleep(100)
    expect(isSettled).toBe(false)
    committed.give()
    await Promise.all([late, settling])
  }
  const { rows } =
    await sql`select amc_price_micros as price from settlement_days order by day limit 1`.execute(db)
  expect(rows).toEqual([{ price: 700_000n }])
})

test('at each step of a settlement, with orders and savings in between, the audit finds nothing', async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  const books = createTestBooks(database, '2026-01-01', 2)
  await books.begin()
  await books.price('AMC', '0.37')
  const ids = [await books.join(null, 'auto')]
  for (let member = 1; member < 6; member++) ids.push(await books.join(ids[member >> 1]!, 'auto'))
  const save = (memberId: bigint, way: 'transferIn' | 'transferOut', amountMicros: bigint) =>
    inTx(books.db, (dbTx) => books.savings[way](dbTx, memberId, { asset: 'USDT', amountMicros }))
  for (const [place, memberId] of ids.entries()) {
    await books.buy(memberId, 1 + (place % 5))
    await books.grant(memberId, 'USDT', 900_000_007n)
    await save(memberId, 'transferIn', 500_000_003n)
  }
  books.tomorrow()
  await books.settlement.settle('2026-01-01')
  for (const memberId of ids) await books.buy(memberId, 2)
  await books.attest('USDT', 50_000_001n)
  await books.attest('USDT', 3_000_001n, 'savings_pool')
  books.tomorrow()

  const audit = () => auditLedger(books.db, { checks: CHECKS })
  /** Performs members' operations during a settlement. */
  const goOn = async () => {
    for (const [place, memberId] of ids.entries()) {
      if (place % 3 === 0) await books.buy(memberId, 1)
      else await save(memberId, place % 3 === 1 ? 'transferIn' : 'transferOut', 1_000_001n)
    }
    expect(await audit()).toEqual([])
    await books.ledger.flows.fold(books.db)
  }
  await sql`create function refuse_range() returns trigger language plpgsql as
    'begin raise exception ''no range''; end'`.execute(database.adminDb)
  await sql`create trigger refused before insert on settlement_ranges execute function refuse_range()`.execute(
    database.adminDb,
  )
  await expect(books.settlement.settle('2026-01-02')).rejects.toThrow('no range')
  const state = async () =>
    (
      await books.db.selectFrom('settlement_days').select('state').where('day', '=', '2026-01-02').execute()
    )[0]?.state
  expect(await state()).toBe('fixed')
  await goOn()
  await sql`drop trigger refused on settlement_ranges`.execute(database.adminDb)
  const row = await books.settlement.prepare('2026-01-02')
  expect(await state()).toBe('staged')
  await goOn()
  const posting = {
    now: books.now,
    ledger: books.ledger,
    bulkRewards: createBulkRewards(),
    savingsInterest: createSavingsInterestBook(),
    dividends: createDividends(),
  }
  let ranges = 0
  while (await postNextRange(posting, books.db, row, defaultPlan.reward.releaseParts)) {
    ranges++
    await goOn()
  }
  expect(ranges).toBeGreaterThan(2)
  await books.settlement.settle('2026-01-02')
  expect(await state()).toBe('settled')
  await goOn()
  expect(await audit()).toEqual([])
})
