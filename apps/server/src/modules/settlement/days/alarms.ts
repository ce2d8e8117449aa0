import type { SettlementAlarm } from '@rif/api-schema'
import { type Day, nextDay, startOfDay } from '@rif/rules'

/** The time after its end at which an unsettled day needs attention; a running settlement takes minutes. */
export const SETTLEMENT_LATE_MS = 2 * 3_600_000
const STOPPED_MS = 10 * 60_000
/** The coverage below which a class raises an alarm. */
const LOW_COVERAGE_PPM = 500_000

interface Covered {
  readonly due: string
  readonly paid: string
  readonly coverage_ppm: number
}

const isSome = (amount: string) => /[1-9]/.test(amount)

/** Returns the alarms about the coverage of a day's classes, with amounts in the API's format. */
export function alarmsOfClasses(classes: readonly Covered[]): SettlementAlarm[] {
  const owed = classes.filter(({ due }) => isSome(due))
  const isUncovered = owed.some(({ paid }) => !isSome(paid))
  const isLow = owed.some(({ paid, coverage_ppm }) => isSome(paid) && coverage_ppm < LOW_COVERAGE_PPM)
  return [...(isUncovered ? (['uncovered'] as const) : []), ...(isLow ? (['low_coverage'] as const) : [])]
}

/** Returns the alarms about the progress of a day. */
export function alarmsOfProgress(
  day: Day,
  state: string,
  fixedAt: Date | null,
  now: Date,
): SettlementAlarm[] {
  if (state === 'settled') return []
  const isLate = now.getTime() - startOfDay(nextDay(day)) > SETTLEMENT_LATE_MS
  const isStopped = fixedAt !== null && now.getTime() - fixedAt.getTime() > STOPPED_MS
  return [...(isLate ? (['late'] as const) : []), ...(isStopped ? (['stopped'] as const) : [])]
}
