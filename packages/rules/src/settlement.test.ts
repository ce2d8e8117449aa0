import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, levels, sum, whole } from './arbitraries.fixture.ts'
import {
  managementContributions,
  managementRank,
  mul,
  type PairingInput,
  pairingDayCap,
  defaultPlan as plan,
  releasePart,
  remainingDividends,
  settleManagement,
  settlePairing,
  staticDue,
} from './index.ts'

describe('pairing', () => {
  const pair = (left: number, right: number, level: number, ownDayCapMicros: bigint | null = null) =>
    settlePairing(
      { carryLeftMicros: whole(left), carryRightMicros: whole(right), level, ownDayCapMicros },
      plan,
    )

  test("R's first day in the worked example", () => {
    expect(pair(1_100, 500, 5)).toEqual({
      matchedMicros: whole(500),
      ratioPpm: 100_000,
      valueMicros: whole(50),
      flushedMicros: 0n,
      carryLeftMicros: whole(600),
      carryRightMicros: 0n,
    })
    expect(pair(100, 0, 3)).toMatchObject({ matchedMicros: 0n, valueMicros: 0n, carryLeftMicros: whole(100) })
  })

  test("the daily cap flushes the rest, and a member's own cap only where it is lower", () => {
    expect(pair(9_000, 10_000, 1)).toMatchObject({ valueMicros: whole(100), flushedMicros: whole(440) })
    expect(pair(9_000, 10_000, 1, whole(30))).toMatchObject({
      valueMicros: whole(30),
      flushedMicros: whole(510),
    })
    expect(pairingDayCap(1, whole(5_000), plan)).toBe(whole(100))
    expect(pairingDayCap(0, null, plan)).toBe(0n)
  })

  test('the carries lose the matched amount even when the reward is floored to zero', () => {
    const input = { carryLeftMicros: 9n, carryRightMicros: 12n, level: 5, ownDayCapMicros: null }
    expect(settlePairing(input, plan)).toMatchObject({
      valueMicros: 0n,
      carryLeftMicros: 0n,
      carryRightMicros: 3n,
    })
  })

  test('conserves both carries, empties one, and never pays above cap or gross', () => {
    const inputs: fc.Arbitrary<PairingInput> = fc.record({
      carryLeftMicros: amountsOrZero,
      carryRightMicros: amountsOrZero,
      level: levels,
      ownDayCapMicros: fc.option(amountsOrZero),
    })
    fc.assert(
      fc.property(inputs, (input) => {
        const result = settlePairing(input, plan)
        expect(result.carryLeftMicros + result.matchedMicros).toBe(input.carryLeftMicros)
        expect(result.carryRightMicros + result.matchedMicros).toBe(input.carryRightMicros)
        expect(result.carryLeftMicros === 0n || result.carryRightMicros === 0n).toBe(true)
        expect(result.valueMicros + result.flushedMicros).toBe(mul(result.matchedMicros, result.ratioPpm))
        expect(result.valueMicros >= 0n && result.flushedMicros >= 0n).toBe(true)
        expect(result.valueMicros <= pairingDayCap(input.level, input.ownDayCapMicros, plan)).toBe(true)
      }),
    )
  })
})

describe('static', () => {
  const paid = (paidSoFarMicros: bigint) => ({ priceMicros: whole(100), staticPpm: 6_000, paidSoFarMicros })

  test('pays the daily rate until 200% of the price is reached', () => {
    expect(
      [0n, 199_400_000n, 199_400_001n, 199_999_999n, whole(200)].map((sofar) => staticDue(paid(sofar), plan)),
    ).toEqual([600_000n, 600_000n, 599_999n, 1n, 0n])
    expect(remainingDividends(paid(198_500_000n), plan)).toBe(1_500_000n)
  })

  test('a lowered cap reclaims nothing', () => {
    const lowered = { ...plan, reward: { ...plan.reward, staticCapPpm: 1_000_000 } }
    expect(staticDue(paid(whole(150)), lowered)).toBe(0n)
    expect(remainingDividends(paid(whole(150)), lowered)).toBe(0n)
  })

  test('never exceeds the cap, however often it is paid', () => {
    fc.assert(
      fc.property(
        amounts,
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.integer({ min: 1, max: 40 }),
        (price, rate, days) => {
          let paidSoFarMicros = 0n
          for (let day = 0; day < days; day++) {
            paidSoFarMicros += staticDue({ priceMicros: price, staticPpm: rate, paidSoFarMicros }, plan)
          }
          expect(paidSoFarMicros + remainingDividends({ priceMicros: price, paidSoFarMicros }, plan)).toBe(
            price * 2n,
          )
        },
      ),
    )
  })
})

describe('management', () => {
  const line = (...valid: boolean[]) => valid.map((item, index) => ({ memberId: index + 1, valid: item }))

  test('three generations: 100%, 50%, 25%; an invalid member also counts as a generation', () => {
    expect(managementContributions(whole(70), line(true, true, true, true), plan)).toEqual([
      { memberId: 1, amountMicros: whole(70) },
      { memberId: 2, amountMicros: whole(35) },
      { memberId: 3, amountMicros: 17_500_000n },
    ])
    expect(managementContributions(whole(70), line(false, true), plan)).toEqual([
      { memberId: 2, amountMicros: whole(35) },
    ])
    expect(managementContributions(1n, line(true, true), plan)).toEqual([{ memberId: 1, amountMicros: 1n }])
    expect(managementContributions(whole(1), [], plan)).toEqual([])
  })

  test.each([
    [999_999_999n, 0, 0],
    [whole(1_000), 1, 50_000],
    [whole(5_000) - 1n, 1, 50_000],
    [whole(5_000), 2, 80_000],
    [whole(20_000), 3, 100_000],
    [whole(100_000), 4, 120_000],
    [whole(500_000), 5, 150_000],
  ])('a base of %d micro-units is rank M%i', (base, rank, ratePpm) => {
    expect(managementRank(base, plan)).toEqual({ rank, ratePpm })
  })

  test('the base restarts at zero every month, also below M1; a paused member keeps it', () => {
    expect(settleManagement(whole(6_000), false, plan)).toEqual({
      rank: 2,
      ratioPpm: 80_000,
      valueMicros: whole(480),
      nextBaseMicros: 0n,
    })
    expect(settleManagement(whole(10), false, plan)).toMatchObject({ valueMicros: 0n, nextBaseMicros: 0n })
    expect(settleManagement(whole(6_000), true, plan)).toMatchObject({
      valueMicros: 0n,
      nextBaseMicros: whole(6_000),
    })
  })

  test('waiting for a higher base never pays less', () => {
    fc.assert(
      fc.property(amounts, amounts, (base, more) => {
        const [now, later] = [base, base + more].map((item) => settleManagement(item, false, plan))
        expect(later!.valueMicros >= now!.valueMicros && later!.rank >= now!.rank).toBe(true)
        expect(now!.valueMicros <= base).toBe(true)
      }),
    )
  })
})

describe('releases', () => {
  test('120 AMC: 4 a day', () => {
    expect(releasePart(whole(120), 1, 30)).toBe(whole(4))
    expect([0, 31, -1].map((part) => releasePart(whole(120), part, 30))).toEqual([0n, 0n, 0n])
  })

  test('the last part is the rest; a part may be zero', () => {
    expect([1, 29, 30].map((part) => releasePart(29n, part, 30))).toEqual([0n, 0n, 29n])
    expect([1, 30].map((part) => releasePart(61n, part, 30))).toEqual([2n, 3n])
  })

  test('all parts together are the amount', () => {
    fc.assert(
      fc.property(amountsOrZero, fc.integer({ min: 1, max: 60 }), (amount, parts) => {
        const all = Array.from({ length: parts }, (_, index) => releasePart(amount, index + 1, parts))
        expect(sum(all)).toBe(amount)
        expect(all.every((part) => part >= 0n && part <= all.at(-1)!)).toBe(true)
      }),
    )
  })
})
