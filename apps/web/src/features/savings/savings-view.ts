import type { MoneyAsset, SavingsCoverage, SavingsInterest } from '@rif/api-schema'
import { addDays, type Day, mul } from '@rif/rules'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Returns a time span in the largest unit that divides it, for the texts `savings.span.*`. */
export function spanOf(ms: number): { unit: 'days' | 'hours' | 'minutes'; count: number } {
  if (ms >= DAY_MS && ms % DAY_MS === 0) return { unit: 'days', count: ms / DAY_MS }
  if (ms >= HOUR_MS && ms % HOUR_MS === 0) return { unit: 'hours', count: ms / HOUR_MS }
  return { unit: 'minutes', count: Math.ceil(ms / MINUTE_MS) }
}

/**
 * Returns the paid share of the interest due over 30 days, and the annual rate that it amounts to; null if
 * nothing was due.
 */
export function reallyPaid(
  { totals }: SavingsCoverage,
  asset: MoneyAsset,
  ratePpm: number,
): { coveragePpm: number; ratePpm: number } | null {
  const total = totals.find((total) => total.asset === asset)
  if (total === undefined) return null
  const { coverage_ppm: coveragePpm } = total
  return { coveragePpm, ratePpm: Number(mul(BigInt(ratePpm), coveragePpm)) }
}

/** Returns the interest paid in an asset on each of some days up to the last one, oldest first; zero where there is no record. */
export function paidByDay(
  interest: readonly SavingsInterest[],
  asset: MoneyAsset,
  last: Day,
  days: number,
): { day: Day; paid: string; due: string }[] {
  const byDay = new Map(interest.filter((item) => item.asset === asset).map((item) => [item.day, item]))
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(last, index + 1 - days)
    const { paid = '0.000000', due = '0.000000' } = byDay.get(day) ?? {}
    return { day, paid, due }
  })
}
