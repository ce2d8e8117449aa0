import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountsOrZero, prices } from './arbitraries.fixture.ts'
import { addDays, inCurrency, MICRO, RATE_HIDDEN_DAYS, RATE_OLD_DAYS, rateAge } from './index.ts'

describe('an amount in another currency', () => {
  it.each([
    [1_234_567_891n, 1_080_000n, 2, 1_333_330_000n],
    [1_234_567_891n, 150_250_000n, 0, 185_493_000_000n],
    [1n, 999_999n, 2, 0n],
    [10_000n, 1_000_000n, 2, 10_000n],
    [9_999n, 1_000_000n, 2, 0n],
    [-9_999n, 1_000_000n, 2, 0n],
    [-1_239_999n, 1_000_000n, 2, -1_230_000n],
    [2_000_000n, 307_125n, 3, 614_000n],
  ] as const)('%s at %s with %s decimals is %s', (usdt, rate, decimals, expected) => {
    expect(inCurrency(usdt, rate, decimals)).toBe(expected)
  })

  it('is never more than the worth, and less by under one step of the last decimal', () => {
    const decimals = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(amountsOrZero, prices, decimals, (usdt, rate, digits) => {
        const step = 10n ** BigInt(6 - digits)
        const shown = inCurrency(usdt, rate, digits)
        expect(shown % step).toBe(0n)
        expect(shown * MICRO <= usdt * rate).toBe(true)
        expect((shown + step) * MICRO > usdt * rate).toBe(true)
        expect(inCurrency(-usdt, rate, digits)).toBe(-shown)
      }),
    )
  })

  it('grows with the amount and with the rate', () => {
    fc.assert(
      fc.property(amountsOrZero, amountsOrZero, prices, prices, (a, b, rate, more) => {
        expect(inCurrency(a + b, rate, 2) >= inCurrency(a, rate, 2)).toBe(true)
        expect(inCurrency(a, rate + more, 2) >= inCurrency(a, rate, 2)).toBe(true)
      }),
    )
  })
})

it('a rate is shown as old after four days, and not at all after fourteen', () => {
  const today = '2026-03-01'
  const ageAfter = (days: number) => rateAge(addDays(today, -days), today)
  expect(ageAfter(0)).toBe('current')
  expect(ageAfter(RATE_OLD_DAYS)).toBe('current')
  expect(ageAfter(RATE_OLD_DAYS + 1)).toBe('old')
  expect(ageAfter(RATE_HIDDEN_DAYS)).toBe('old')
  expect(ageAfter(RATE_HIDDEN_DAYS + 1)).toBe('hidden')
  // A device whose clock is behind.
  expect(ageAfter(-1)).toBe('current')
})
