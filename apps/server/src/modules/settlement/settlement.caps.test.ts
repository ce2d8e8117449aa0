import { defaultPlan, formatMicros, parseMicros, serialisePlan } from '@rif/rules'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { inTx } from '../../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { createTestBooks, type TestBooks } from './testing/test-books.ts'

let database: TestDatabase

afterEach(() => database.close())

async function begin(amcPrice: string): Promise<TestBooks> {
  database = await createTestDatabase({ role: 'rif_app' })
  const books = createTestBooks(database, '2026-01-01')
  await books.begin()
  await books.price('AMC', amcPrice)
  return books
}

/** Ends the day and settles it. */
async function endDay(books: TestBooks): Promise<void> {
  const day = books.today()
  books.tomorrow()
  await books.settlement.settle(day)
}

/**
 * Returns day, base, value, flushed, coverage, shares of USDT and AMC, USDT and AMC of each reward of a type.
 */
async function rewardsOf(books: TestBooks, type: 'Interest' | 'PairingReward') {
  const { rows } = await sql<{ day: string; figures: bigint[]; ppm: number[] }>`
    select day, array[base_micros, value_micros, flushed_micros, usdt_micros, amc_micros] as figures,
      array[coverage_ppm, usdt_share_ppm, amc_share_ppm] as ppm
    from rewards where type = ${type} order by day`.execute(books.db)
  return rows.map(({ day, figures, ppm }) => {
    const [base, value, flushed, usdt, amc] = figures.map((figure) => formatMicros(BigInt(figure)))
    return { day, base, value, flushed, ppm, usdt, amc }
  })
}

/**
 * Rules, sections 5.4 and 6, worked out by hand. One package of 100 at 70% a day (a plan for that), AMC at 0.7:
 *
 * | day | due                           | pool: USDT, AMC         | coverage                           | paid value | still payable |
 * |-----|-------------------------------|-------------------------|------------------------------------|------------|---------------|
 * | 2   | 70                            | 33.333333               | 33333333/70000000 = 0.476190|47    | 33.333300  | 166.666700    |
 * | 3   | 70                            | 70.000033               | 1                                  | 70         | 96.666700     |
 * | 4   | 70                            | 70.000033               | 1                                  | 70         | 26.666700     |
 * | 5   | 26.666700, cut from 70        | 10.000033, 20 (worth 14)| 24000033/26666700 = 0.900000|11    | 24.000030  | 2.666670      |
 * | 6   | 2.666670, cut from 70         | 5.000013, 0.000022      | 1                                  | 2.666670   | 0             |
 * | 7   | nothing: no record            |                         |                                    |            |               |
 *
 * Day 5: cu = 10000033/24000030 = 0.416667|5; ca = 14000000/24000030 = 0.583332|6. ca is above 30% and cu below 70%, so
 * USDT is 0.416667 and AMC min(1 - 0.416667, 0.583332) = 0.583332. 24.000030 x 0.416667 = 10.000020|5 USDT;
 * 24.000030 x 0.583332 = 13.999985|5 worth, by 0.7 = 19.999978|57 AMC.
 * Day 6: 0.000022 AMC are worth 0.000015|4; ca = 15/2666670 = 0.000005|6, below 30%, so AMC is 0.000005 and USDT 0.999995.
 * 2.666670 x 0.999995 = 2.666656|6 USDT; 2.666670 x 0.000005 = 0.000013|3 worth, by 0.7 = 0.000018|5 AMC.
 * Paid in all: 33.333300 + 70 + 70 + 24.000030 + 2.666670 = 200, which is 200% of 100.
 */
test('static rewards end at 200% of the price: the last ones are cut, to the micro-unit', async () => {
  const books = await begin('0.7')
  const packages = defaultPlan.packages.map((terms) => ({
    ...terms,
    staticPpm: terms.level === 1 ? 700_000 : terms.staticPpm,
  }))
  await inTx(books.db, (dbTx) =>
    books.plans.publish(dbTx, {
      plan: serialisePlan({ ...defaultPlan, packages }),
      effectiveDay: '2026-01-02',
      actor: 'test',
    }),
  )
  const root = await books.join(null, 'auto')
  await books.buy(root, 1)
  await endDay(books)
  for (const [usdt, amc] of [['33.333333'], ['70'], ['70'], ['10', '20'], ['5'], ['1']]) {
    await books.attest('USDT', parseMicros(usdt!))
    if (amc !== undefined) await books.attest('AMC', parseMicros(amc))
    await endDay(books)
  }
  const same = { base: '100.000000', flushed: '0.000000' }
  const usdtOnly = { ...same, value: '70.000000', amc: '0.000000' }
  expect(await rewardsOf(books, 'Interest')).toEqual([
    { ...usdtOnly, day: '2026-01-02', ppm: [476_190, 1_000_000, 0], usdt: '33.333300' },
    { ...usdtOnly, day: '2026-01-03', ppm: [1_000_000, 1_000_000, 0], usdt: '70.000000' },
    { ...usdtOnly, day: '2026-01-04', ppm: [1_000_000, 1_000_000, 0], usdt: '70.000000' },
    {
      ...same,
      day: '2026-01-05',
      value: '26.666700',
      ppm: [900_000, 416_667, 583_332],
      usdt: '10.000020',
      amc: '19.999978',
    },
    {
      ...same,
      day: '2026-01-06',
      value: '2.666670',
      ppm: [1_000_000, 999_995, 5],
      usdt: '2.666656',
      amc: '0.000018',
    },
  ])
  // The remainder: 5.000013 - 2.666656 + 1 USDT, and 0.000022 - 0.000018 AMC.
  expect(await books.ledger.pools.balances(books.db, 'yield_pool')).toEqual({ USDT: 3_333_357n, AMC: 4n })
  expect(await books.audit()).toEqual([])
})

/**
 * Rules, sections 5.3, 5.5 and 6, worked out by hand. R stands below Z, both with Launch 100; AMC at 0.3.
 *
 * Day 1: L buys Launch 1000 on R's left, M Launch 500 on the right. Matched 500, 6% = 30; R's own cap of 7.777777 is below
 * the level's 100: value 7.777777, flushed 22.222223, and both carries lose 500. The pool covers it:
 * 7.777777 x 70% = 5.444443|9 USDT; x 30% = 2.333333|1 worth, by 0.3 = 7.777776|67 AMC. Z's award base gets the paid value.
 * Day 2: the own cap is 5,000, so the level's 100 applies. 5,000 are bought on each side: left 5,500, right 5,000. Matched
 * 5,000, 6% = 300: value 100, flushed 200, left carry 500. 70 USDT, and 30 worth by 0.3 = 100 AMC. Z's base is 107.777777.
 */
test("pairing above the day's cap is flushed, the member's own cap first, to the micro-unit", async () => {
  const books = await begin('0.3')
  const Z = await books.join(null, 'auto')
  const R = await books.join(Z, 'left')
  const [L, M] = [await books.join(R, 'left'), await books.join(R, 'right')]
  const setCap = (cap: string) =>
    books.dayCaps.set(books.db, { memberId: R, capMicros: parseMicros(cap), actor: 'operator' })
  await setCap('7.777777')
  for (const [memberId, level] of [
    [Z, 1],
    [R, 1],
    [L, 3],
    [M, 2],
  ] as const)
    await books.buy(memberId, level)
  await endDay(books)
  await setCap('5000')
  for (const memberId of [L, M]) await books.buy(memberId, 4)
  await endDay(books)
  const full = [1_000_000, 700_000, 300_000]
  expect(await rewardsOf(books, 'PairingReward')).toEqual([
    {
      day: '2026-01-01',
      base: '500.000000',
      value: '7.777777',
      flushed: '22.222223',
      ppm: full,
      usdt: '5.444443',
      amc: '7.777776',
    },
    {
      day: '2026-01-02',
      base: '5000.000000',
      value: '100.000000',
      flushed: '200.000000',
      ppm: full,
      usdt: '70.000000',
      amc: '100.000000',
    },
  ])
  const carried = await books.settlement.carried()
  expect(carried.get(R)).toMatchObject({ carryLeftMicros: parseMicros('500'), carryRightMicros: 0n })
  expect(carried.get(Z)).toMatchObject({ manageBaseMicros: parseMicros('107.777777') })
  expect(await books.audit()).toEqual([])
})
