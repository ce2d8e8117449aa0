import type { ProfitCoverage, RewardClassName } from '@rif/api-schema'
import { addDays, daysBetween, formatMicros, parseMicros } from '@rif/rules'

/** The classes in the order in which they are shown. */
export const REWARD_CLASSES = [
  'commission',
  'pairing',
  'static',
  'management',
] as const satisfies readonly RewardClassName[]

/** One day of a class; both zero if nothing was due. */
export interface CoverageDay {
  readonly day: string
  readonly value: string
  readonly paid: string
  /** The amount due and not paid; it is not owed later. */
  readonly unpaid: string
}

/** Returns every day of the range, in order, including those without amounts due. */
export function coverageDays(
  { from, to, days }: Pick<ProfitCoverage, 'from' | 'to' | 'days'>,
  name: RewardClassName,
): CoverageDay[] {
  const rows = new Map(days.filter((row) => row.class === name).map((row) => [row.day, row]))
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => {
    const day = addDays(from, index)
    const { value, paid } = rows.get(day) ?? { value: formatMicros(0n), paid: formatMicros(0n) }
    return { day, value, paid, unpaid: formatMicros(parseMicros(value) - parseMicros(paid)) }
  })
}
