import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, pools, rates, sum, whole } from './arbitraries.fixture.ts'
import {
  batchCoverage,
  batchShares,
  ONE_PPM,
  type Plan,
  type Pool,
  payBatch,
  defaultPlan as plan,
  worth,
} from './index.ts'

const batches = fc.array(amounts, { maxLength: 20 })
const pool = (usdt: bigint, amc: bigint, price: bigint | null = 500_000n): Pool => ({
  usdtMicros: usdt,
  amcMicros: amc,
  amcPriceMicros: price,
})

describe('payBatch', () => {
  test("A's order: 200 due, 140 USDT and 120 AMC paid", () => {
    const paid = payBatch(pool(whole(2_695), whole(2_310)), [whole(100), whole(100)], plan)
    expect(paid).toMatchObject({
      dueMicros: whole(200),
      coveragePpm: ONE_PPM,
      usdtSharePpm: 700_000,
      amcSharePpm: 300_000,
    })
    const payout = { paidMicros: whole(100), usdtMicros: whole(70), amcMicros: whole(60) }
    expect(paid.payouts).toEqual([payout, payout])
  })

  test('the static rewards of day 2: half covered, all USDT', () => {
    const paid = payBatch(pool(56_050_000n, 0n), [whole(100), whole(8), 3_500_000n, 600_000n], plan)
    expect(paid).toMatchObject({ coveragePpm: 500_000, usdtSharePpm: ONE_PPM, amcSharePpm: 0 })
    expect(paid.payouts.map((payout) => payout.usdtMicros)).toEqual([
      whole(50),
      whole(4),
      1_750_000n,
      300_000n,
    ])
  })

  test('a pool of AMC alone pays AMC alone', () => {
    const paid = payBatch(pool(0n, whole(1_000), 610_000n), [whole(100)], plan)
    expect(paid).toMatchObject({ coveragePpm: ONE_PPM, usdtSharePpm: 0, amcSharePpm: ONE_PPM })
    expect(paid.payouts).toEqual([{ paidMicros: whole(100), usdtMicros: 0n, amcMicros: 163_934_426n }])
  })

  test('pays as much as possible of the scarce asset, and the rest in the other one', () => {
    expect(payBatch(pool(whole(100), whole(40)), [whole(100)], plan)).toMatchObject({
      usdtSharePpm: 800_000,
      amcSharePpm: 200_000,
    })
    expect(payBatch(pool(whole(50), whole(200)), [whole(100)], plan)).toMatchObject({
      usdtSharePpm: 500_000,
      amcSharePpm: 500_000,
    })
    expect(payBatch(pool(whole(50), whole(40)), [whole(100)], plan)).toMatchObject({
      coveragePpm: 700_000,
      usdtSharePpm: 714_285,
      amcSharePpm: 285_714,
    })
  })

  test('an empty pool pays nothing, and AMC without a price count as nothing', () => {
    const nothing = {
      coveragePpm: 0,
      usdtSharePpm: 0,
      amcSharePpm: 0,
      payouts: [{ paidMicros: 0n, usdtMicros: 0n, amcMicros: 0n }],
    }
    expect(payBatch(pool(0n, 0n), [whole(1)], plan)).toMatchObject(nothing)
    expect(payBatch(pool(0n, whole(1_000), null), [whole(1)], plan)).toMatchObject(nothing)
  })

  test('due amounts of zero are paid as zero', () => {
    expect(payBatch(pool(whole(1), 0n), [], plan)).toEqual({
      dueMicros: 0n,
      coveragePpm: ONE_PPM,
      usdtSharePpm: 0,
      amcSharePpm: 0,
      payouts: [],
    })
  })

  test('never pays more than the pool holds, in either asset, for any target split', () => {
    fc.assert(
      fc.property(pools, batches, rates, (poolFunds, values, usdtSharePpm) => {
        const wished: Plan = { ...plan, reward: { ...plan.reward, usdtSharePpm } }
        const { payouts, coveragePpm, ...shares } = payBatch(poolFunds, values, wished)
        expect(coveragePpm >= 0 && coveragePpm <= ONE_PPM).toBe(true)
        expect(shares.usdtSharePpm >= 0 && shares.amcSharePpm >= 0).toBe(true)
        expect(shares.usdtSharePpm + shares.amcSharePpm <= ONE_PPM).toBe(true)
        expect(sum(payouts.map((payout) => payout.usdtMicros)) <= poolFunds.usdtMicros).toBe(true)
        expect(sum(payouts.map((payout) => payout.amcMicros)) <= poolFunds.amcMicros).toBe(true)
        payouts.forEach(({ paidMicros, usdtMicros, amcMicros }, index) => {
          const amcWorthMicros =
            poolFunds.amcPriceMicros === null ? 0n : worth(amcMicros, poolFunds.amcPriceMicros)
          expect(usdtMicros >= 0n && amcMicros >= 0n).toBe(true)
          expect(usdtMicros + amcWorthMicros <= paidMicros && paidMicros <= values[index]!).toBe(true)
        })
      }),
    )
  })

  test('a pool with enough of both assets pays everything in the target split', () => {
    fc.assert(
      fc.property(
        batches.filter((values) => values.length > 0),
        (values) => {
          const due = sum(values)
          const paid = payBatch(pool(due, due * 2n), values, plan)
          expect(paid).toMatchObject({ coveragePpm: ONE_PPM, usdtSharePpm: 700_000, amcSharePpm: 300_000 })
          expect(paid.payouts.map((payout) => payout.paidMicros)).toEqual(values)
        },
      ),
    )
  })
})

test('coverage is 100% when the pool holds the due amount, and never falls as the pool grows', () => {
  fc.assert(
    fc.property(pools, amountsOrZero, amounts, (poolFunds, more, due) => {
      const coverage = batchCoverage(poolFunds, due)
      expect(
        batchCoverage({ ...poolFunds, usdtMicros: poolFunds.usdtMicros + more }, due),
      ).toBeGreaterThanOrEqual(coverage)
      expect(
        batchCoverage({ ...poolFunds, amcMicros: poolFunds.amcMicros + more }, due),
      ).toBeGreaterThanOrEqual(coverage)
      expect(batchCoverage({ ...poolFunds, usdtMicros: due }, due)).toBe(ONE_PPM)
    }),
  )
})

test('shares follow the text of section 6, computed without rounding', () => {
  fc.assert(
    fc.property(pools, amounts, (poolFunds, paidSum) => {
      const ppm = 1_000_000n
      const amcWorthMicros =
        poolFunds.amcPriceMicros === null ? 0n : worth(poolFunds.amcMicros, poolFunds.amcPriceMicros)
      const cu = (ppm * poolFunds.usdtMicros) / paidSum
      const ca = (ppm * amcWorthMicros) / paidSum
      const smaller = (a: bigint, b: bigint) => (a < b ? a : b)
      let [usdt, amc] = [700_000n, 300_000n]
      if (ca < 300_000n) [usdt, amc] = [smaller(ppm - ca, cu), ca]
      else if (cu < 700_000n) [usdt, amc] = [cu, smaller(ppm - cu, ca)]
      expect(batchShares(poolFunds, paidSum, plan)).toEqual({
        usdtSharePpm: Number(usdt),
        amcSharePpm: Number(amc),
      })
    }),
  )
})

test('a pool that holds exactly the due amount, in USDT alone, is emptied', () => {
  fc.assert(
    fc.property(fc.array(amounts, { minLength: 1, maxLength: 50 }), (values) => {
      const { payouts } = payBatch(pool(sum(values), 0n), values, plan)
      expect(payouts.map((payout) => payout.usdtMicros)).toEqual(values)
    }),
  )
})
