import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amounts, amountsOrZero, rates, sum, whole } from './arbitraries.fixture.ts'
import {
  type ASSETS,
  addDays,
  daysBetween,
  judgeSavingsTransfer,
  MAX_MICROS,
  mul,
  nextStandingDay,
  defaultPlan as plan,
  type SavingsHeld,
  STANDING_DAYS,
  STANDING_PERIODS,
  savingsCoverage,
  savingsDue,
  savingsInWorth,
  savingsOutDelayMs,
  savingsPrincipal,
  savingsRatePpm,
  startOfDay,
} from './index.ts'

const MINUTES_5 = 300_000
const HOURS_72 = 259_200_000

describe('interest', () => {
  test('is 18% a year of the amount held during the whole day, floored once at the end', () => {
    expect(savingsRatePpm('USDT', plan)).toBe(180_000)
    expect(savingsRatePpm('AMC', plan)).toBe(180_000)
    const savings = { ...plan.savings, usdtRatePpm: 1, amcRatePpm: 2 }
    expect(savingsRatePpm('USDT', { savings })).toBe(1)
    expect(savingsRatePpm('AMC', { savings })).toBe(2)
    // 1,000 x 18% / 365 = 0.49315068...
    expect(savingsDue(whole(1_000), 180_000)).toBe(493_150n)
    // Floored after the product and both divisions: 2,028 x 0.18 / 365 = 1.00010..., 2,027 x 0.18 / 365 = 0.99961...
    expect(savingsDue(2_028n, 180_000)).toBe(1n)
    expect(savingsDue(2_027n, 180_000)).toBe(0n)
    expect(savingsDue(0n, 180_000)).toBe(0n)
    expect(savingsDue(MAX_MICROS, 1_000_000)).toBe(MAX_MICROS / 365n)
  })

  test('does not count amounts that were moved in or out on the day', () => {
    expect(savingsPrincipal({ savedMicros: 500n, outMicros: 0n })).toBe(500n)
    expect(savingsPrincipal({ savedMicros: 500n, outMicros: 200n })).toBe(300n)
    expect(savingsPrincipal({ savedMicros: 500n, outMicros: 900n })).toBe(0n)
  })

  test('of a year never exceeds the rate, and loses less than a micro-unit a day', () => {
    fc.assert(
      fc.property(amounts, rates, (principal, rate) => {
        const due = savingsDue(principal, rate)
        const year = principal * BigInt(rate)
        expect(due * 365_000_000n <= year).toBe(true)
        expect((due + 1n) * 365_000_000n > year).toBe(true)
      }),
    )
  })

  test('grows with the principal, and parts never earn more than the whole', () => {
    fc.assert(
      fc.property(amounts, amounts, rates, (a, b, rate) => {
        expect(savingsDue(a, rate) + savingsDue(b, rate) <= savingsDue(a + b, rate)).toBe(true)
      }),
    )
  })

  test('paid to all members never exceeds the pool, and is the whole due amount when the pool covers it', () => {
    fc.assert(
      fc.property(amountsOrZero, fc.array(amounts, { minLength: 1, maxLength: 20 }), (pool, dues) => {
        const due = sum(dues)
        const coverage = savingsCoverage(pool, due)
        const paid = dues.map((due) => mul(due, coverage))
        expect(sum(paid) <= pool).toBe(true)
        if (pool >= due) expect(paid).toEqual(dues)
        else expect(coverage).toBeLessThan(1_000_000)
      }),
    )
    expect(savingsCoverage(0n, 0n)).toBe(1_000_000)
    expect(savingsCoverage(0n, 1n)).toBe(0)
    expect(savingsCoverage(1n, 3n)).toBe(333_333)
  })
})

describe('a transfer', () => {
  test('is refused for another asset, an invalid amount, and more than the balance, in this order', () => {
    const judge = (asset: (typeof ASSETS)[number], amountMicros: bigint, balanceMicros = whole(10)) =>
      judgeSavingsTransfer({ asset, amountMicros, balanceMicros })
    for (const asset of ['RIF', 'VC', 'DIV'] as const) {
      expect(judge(asset, 0n)).toEqual({ ok: false, code: 'ASSET_NOT_ALLOWED' })
    }
    for (const amount of [0n, -1n, MAX_MICROS + 1n]) {
      expect(judge('USDT', amount)).toEqual({ ok: false, code: 'INVALID_AMOUNT' })
    }
    expect(judge('AMC', whole(10) + 1n)).toEqual({ ok: false, code: 'INSUFFICIENT_BALANCE' })
    expect(judge('AMC', whole(10))).toEqual({ ok: true, asset: 'AMC' })
  })

  test('out takes 5 minutes up to and including 1,000 USDT worth in 24 hours, and 72 hours above', () => {
    const delay = (worthMicros: bigint | null, recentMicros: bigint | null = 0n) =>
      savingsOutDelayMs(worthMicros, recentMicros, plan)
    expect(delay(1n)).toBe(MINUTES_5)
    expect(delay(whole(1_000))).toBe(MINUTES_5)
    expect(delay(whole(1_000) + 1n)).toBe(HOURS_72)
    expect(delay(whole(400), whole(600))).toBe(MINUTES_5)
    expect(delay(whole(400), whole(600) + 1n)).toBe(HOURS_72)
    // Without a known price, this one or an earlier one counts as above the bound.
    expect(delay(null)).toBe(HOURS_72)
    expect(delay(1n, null)).toBe(HOURS_72)
  })

  test('out never leaves faster in parts: those that take 5 minutes are worth at most 1,000 USDT together', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt(1n, whole(1_200)), { minLength: 1, maxLength: 20 }), (parts) => {
        let recent = 0n
        let fast = 0n
        for (const part of parts) {
          if (savingsOutDelayMs(part, recent, plan) === MINUTES_5) fast += part
          recent += part
        }
        expect(fast <= whole(1_000)).toBe(true)
      }),
    )
  })

  test('in counts with the part above 1,000 USDT worth of savings in both assets', () => {
    const counted = (asset: 'USDT' | 'AMC', amount: bigint, overrides: Partial<SavingsHeld> = {}) =>
      savingsInWorth(
        asset,
        amount,
        { usdtMicros: 0n, amcMicros: 0n, amcPriceMicros: 500_000n, ...overrides },
        plan,
      )
    expect(counted('USDT', whole(1_000))).toBe(0n)
    expect(counted('USDT', whole(1_000) + 1n)).toBe(1n)
    expect(counted('AMC', whole(2_100))).toBe(whole(50))
    expect(counted('USDT', whole(300), { usdtMicros: whole(400), amcMicros: whole(800) })).toBe(whole(100))
    expect(counted('USDT', whole(300), { usdtMicros: whole(5_000) })).toBe(whole(300))
  })

  test('in is of unknown worth without a price, and savings without a price leave nothing free', () => {
    const unpriced = { usdtMicros: 0n, amcMicros: 0n, amcPriceMicros: null }
    expect(savingsInWorth('AMC', 1n, unpriced, plan)).toBeNull()
    expect(savingsInWorth('USDT', whole(5), unpriced, plan)).toBe(0n)
    expect(savingsInWorth('USDT', whole(5), { ...unpriced, amcMicros: 1n }, plan)).toBe(whole(5))
  })
})

describe('nextStandingDay', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('2000-01-01', days))
  const standing = fc
    .constantFrom(...STANDING_PERIODS)
    .chain((every) => fc.integer({ min: 1, max: STANDING_DAYS[every] }).map((onDay) => ({ every, onDay })))

  test('is the first matching day after another', () => {
    fc.assert(
      fc.property(standing, day, ({ every, onDay }, after) => {
        const matches = (date: string) =>
          every === 'day' ||
          (every === 'week'
            ? (new Date(startOfDay(date)).getUTCDay() || 7) === onDay
            : Number(date.slice(8)) === onDay)
        const next = nextStandingDay(every, onDay, after)
        const between = Array.from({ length: daysBetween(after, next) - 1 }, (_, index) =>
          addDays(after, index + 1),
        )
        expect(daysBetween(after, next)).toBeGreaterThan(0)
        expect(daysBetween(after, next)).toBeLessThanOrEqual(31)
        expect(matches(next)).toBe(true)
        expect(between.filter(matches)).toEqual([])
      }),
    )
  })
})
