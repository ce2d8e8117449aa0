import fc from 'fast-check'
import { MAX_MICROS, MICRO, type Micros, ONE_PPM, type Pool } from './index.ts'

/** Converts whole units to micro-units. */
export const whole = (amount: number): Micros => BigInt(amount) * MICRO

/** Amounts of the 64-bit range; small ones and those near 2^63 are as frequent as the rest. */
export const amounts = fc.oneof(
  fc.bigInt(1n, 100n),
  fc.bigInt(1n, whole(1_000_000)),
  fc.bigInt(1n, MAX_MICROS),
  fc.bigInt(MAX_MICROS - 100n, MAX_MICROS),
)
export const amountsOrZero = fc.oneof(fc.constant(0n), amounts)
export const prices = fc.oneof(fc.bigInt(1n, 10n), fc.bigInt(1n, whole(1_000)), fc.bigInt(1n, MAX_MICROS))
export const rates = fc.integer({ min: 0, max: ONE_PPM })
export const levels = fc.integer({ min: 0, max: 5 })
export const pools: fc.Arbitrary<Pool> = fc.record({
  usdtMicros: amountsOrZero,
  amcMicros: amountsOrZero,
  amcPriceMicros: fc.option(prices, { freq: 6 }),
})
export const sum = (all: readonly Micros[]): Micros => all.reduce((total, micros) => total + micros, 0n)
