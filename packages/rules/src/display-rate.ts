import { type Day, daysBetween } from './day.ts'
import { MICRO, type Micros } from './money.ts'

/** The age in days above which a rate is shown as old: more than a long weekend. Rules, section 1. */
export const RATE_OLD_DAYS = 4
/** The age in days above which nothing is shown in the currency. Rules, section 1. */
export const RATE_HIDDEN_DAYS = 14

export type RateAge = 'current' | 'old' | 'hidden'

/** Returns how a rate of `rateDay` is shown on `today`. Rules, section 1. */
export function rateAge(rateDay: Day, today: Day): RateAge {
  const days = daysBetween(rateDay, today)
  if (days > RATE_HIDDEN_DAYS) return 'hidden'
  return days > RATE_OLD_DAYS ? 'old' : 'current'
}

/**
 * Returns an amount of USDT in another currency, in its micro-units, at a rate in micro-units of the currency
 * for one USDT. Truncates it after `decimals` (0 to 6) digits, towards zero, so that the shown amount is
 * never too high. For display only. Rules, section 1.
 */
export function inCurrency(usdtMicros: Micros, rateMicros: Micros, decimals: number): Micros {
  const step = 10n ** BigInt(Math.max(0, MICRO_DECIMALS - decimals))
  // One division, because two would round twice; `/` on bigints truncates towards zero.
  return ((usdtMicros * rateMicros) / (MICRO * step)) * step
}

const MICRO_DECIMALS = 6
