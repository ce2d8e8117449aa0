import { formatMicros } from '@rif/rules'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestBooks, type TestBooks } from './testing/test-books.ts'

let database: TestDatabase
let books: TestBooks
let ids: Record<'R' | 'A' | 'B' | 'C', bigint>

beforeAll(async () => {
  database = await createTestDatabase({ role: 'rif_app' })
  books = createTestBooks(database, '2026-01-01')
  await books.begin()
  await books.price('AMC', '0.5')
  const R = await books.join(null, 'auto')
  const A = await books.join(R, 'left')
  const B = await books.join(R, 'right')
  const C = await books.join(A, 'auto')
  ids = { R, A, B, C }
  await books.buy(R, 5)
  await books.buy(A, 3)
  await books.buy(B, 2)
  await books.buy(C, 1)
})
afterAll(() => database.close())

async function rewardsOf(day: string) {
  const { rows } = await sql<{
    type: string
    memberId: bigint
    value: bigint
    coverage: number
    usdt: bigint
    amc: bigint
  }>`
    select type, member_id as "memberId", value_micros as value, coverage_ppm as coverage, usdt_micros as usdt,
      amc_micros as amc
    from rewards where day = ${day} and type not in ('ReferralReward', 'TeamReward')
    order by type, member_id`.execute(books.db)
  const name = (memberId: bigint) => Object.entries(ids).find(([, id]) => id === memberId)![0]
  return rows.map(({ memberId, type, ...row }) =>
    [
      type,
      name(memberId),
      formatMicros(row.value),
      row.coverage,
      formatMicros(row.usdt),
      formatMicros(row.amc),
    ].join(' '),
  )
}

const carried = async (memberId: bigint) => {
  const { carryLeftMicros, carryRightMicros } = (await books.settlement.carried()).get(memberId)!
  return [formatMicros(carryLeftMicros), formatMicros(carryRightMicros)]
}

test('a day that has not ended, or follows an unsettled one, is refused; one before the first is ignored', async () => {
  await expect(books.settlement.settle('2026-01-01')).rejects.toMatchObject({ code: 'DAY_NOT_ENDED' })
  books.goTo('2026-01-03')
  await expect(books.settlement.settle('2026-01-02')).rejects.toMatchObject({ code: 'DAY_OUT_OF_ORDER' })
  expect(await books.settlement.settle('2025-12-31')).toEqual({ settled: false })
  books.goTo('2026-01-02')
})

test('day 1: pairing of R, nothing for A; unsettled members carry over all the same', async () => {
  expect(await carried(ids.R)).toEqual(['1100.000000', '500.000000'])
  expect(await books.settlement.settle('2026-01-01')).toEqual({ settled: true })
  expect(await rewardsOf('2026-01-01')).toEqual(['PairingReward R 50.000000 1000000 35.000000 30.000000'])
  expect(await carried(ids.R)).toEqual(['600.000000', '0.000000'])
  expect(await carried(ids.A)).toEqual(['100.000000', '0.000000'])
  expect(await books.audit()).toEqual([])
})

test('day 2: static rewards at half coverage, all in USDT, and the first releases', async () => {
  const before = await books.ledger.balances(books.db, ids.R)
  await books.attest('USDT', 56_050_000n)
  books.tomorrow()
  await books.settlement.settle('2026-01-02')
  expect(await rewardsOf('2026-01-02')).toEqual([
    'Interest R 100.000000 500000 50.000000 0.000000',
    'Interest A 8.000000 500000 4.000000 0.000000',
    'Interest B 3.500000 500000 1.750000 0.000000',
    'Interest C 0.600000 500000 0.300000 0.000000',
  ])
  const after = await books.ledger.balances(books.db, ids.R)
  expect(after.AMC.available - before.AMC.available).toBe(before.AMC.locked / 30n)
  expect(await books.ledger.pools.balances(books.db, 'yield_pool')).toEqual({ USDT: 0n, AMC: 0n })
  expect(await books.settlement.settle('2026-01-02')).toEqual({ settled: false })
  expect(await books.audit()).toEqual([])
})

test('day 3: an empty pool pays nothing, which is recorded', async () => {
  books.tomorrow()
  await books.settlement.settle('2026-01-03')
  expect((await rewardsOf('2026-01-03')).at(-1)).toBe('Interest C 0.600000 0 0.000000 0.000000')
  expect(await books.audit()).toEqual([])
})
