import type { FundHolding, ProfitType, RewardDay } from '@rif/api-schema'
import { dayOf, formatMicros, type IncomeSum, parseMicros } from '@rif/rules'
import { formatDay, formatDecimal, sumAmounts } from '../../lib/index.ts'

/** The figures of the home page about rewards and the team, computed from the API's data. */

/** The four sums of the specification (section 3), and their sources. Rules, sections 2 and 5. */
export const KINDS: readonly { sum: IncomeSum; source: 'sales' | 'revenue' }[] = [
  { sum: 'tjjl', source: 'sales' },
  { sum: 'pdjl', source: 'sales' },
  { sum: 'jtjl', source: 'revenue' },
  { sum: 'gljl', source: 'sales' },
]

export interface KindSums {
  sum: IncomeSum
  source: 'sales' | 'revenue'
  /** The paid USDT worth; null while it is unknown. */
  today: string | null
  yesterday: string | null
  total: string
}

/**
 * Sums the paid rewards by kind: today, yesterday and in total. `days` are the last two with rewards,
 * undefined while they load.
 */
export function kindSums(
  me: Readonly<Record<IncomeSum, string>>,
  days: readonly Pick<RewardDay, 'group' | 'sums'>[] | undefined,
): KindSums[] {
  const paid = (sum: IncomeSum, group: 1 | 2) =>
    days === undefined ? null : (days.find((day) => day.group === group)?.sums[sum] ?? formatMicros(0n))
  return KINDS.map(({ sum, source }) => ({
    sum,
    source,
    today: paid(sum, 1),
    yesterday: paid(sum, 2),
    total: me[sum],
  }))
}

/** Adds up a row of sums; null when one of them is unknown. */
export const totalOf = (amounts: readonly (string | null)[]): string | null =>
  amounts.every((amount) => amount !== null) ? sumAmounts(amounts) : null

/** The paid and the due amount, as wire amounts. */
export interface Coverage {
  readonly paid: string
  readonly due: string
}

/** Sums the paid and the due amounts of all rewards, or of those from one source. */
export function coverageOf(items: ProfitType['items'], source?: 'sales' | 'revenue'): Coverage {
  const isOf = (type: string) => source === undefined || (type === 'Interest') === (source === 'revenue')
  const wanted = items.filter(({ type }) => isOf(type))
  return {
    paid: sumAmounts(wanted.map(({ paid }) => paid)),
    due: sumAmounts(wanted.map(({ value }) => value)),
  }
}

const THOUSAND = 1000n

/** Returns the paid part of the due amount, from 0 to 1; null where nothing was due. Only for drawing. */
export function shareOf({ paid, due }: Coverage): number | null {
  const whole = parseMicros(due)
  return whole === 0n ? null : Number((parseMicros(paid) * THOUSAND) / whole) / Number(THOUSAND)
}

/**
 * Returns the paid part of the due amount as a percentage with at most one decimal, truncated; null where
 * nothing was due.
 */
export function percentOf(coverage: Coverage): string | null {
  const share = shareOf(coverage)
  return share === null ? null : `${formatDecimal(String(Math.floor(share * Number(THOUSAND)) / 10))}%`
}

/**
 * Returns the UTC day of the net values of the held units; from the oldest to the newest where they differ,
 * null without units.
 */
export function navDays(holdings: readonly Pick<FundHolding, 'nav_published_at'>[]): string | null {
  const days = holdings
    .flatMap(({ nav_published_at: at }) => (at === null ? [] : [dayOf(Date.parse(at))]))
    .sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  return first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`
}
