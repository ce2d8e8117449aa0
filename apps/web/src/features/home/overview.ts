import type { FundHolding, FundHoldings, Me, RewardDay } from '@rif/api-schema'
import { dayOf, formatMicros, type IncomeSum, parseMicros, worth } from '@rif/rules'
import { sumAmounts } from '../../lib/index.ts'

/** The figures of the home page, computed from the API's data. */

/** The four sums of the specification (section 3), and what pays them. Rules, sections 2 and 5. */
export const KINDS: readonly { sum: IncomeSum; source: 'sales' | 'revenue' }[] = [
  { sum: 'tjjl', source: 'sales' },
  { sum: 'pdjl', source: 'sales' },
  { sum: 'jtjl', source: 'revenue' },
  { sum: 'gljl', source: 'sales' },
]

export interface KindSums {
  sum: IncomeSum
  source: 'sales' | 'revenue'
  /** USDT worth that was really paid; null while it is not known. */
  today: string | null
  yesterday: string | null
  total: string
}

/** Sums the paid rewards by kind: today, yesterday and in total. `days` are the last two with rewards, undefined while they load. */
export function kindSums(
  me: Pick<Me, IncomeSum>,
  days: readonly Pick<RewardDay, 'group' | 'sums'>[] | undefined,
): KindSums[] {
  const paid = (sum: IncomeSum, group: 1 | 2) =>
    days === undefined ? null : (days.find((day) => day.group === group)?.sums[sum] ?? formatMicros(0n))
  return KINDS.map(({ sum, source }) => ({
    ...{ sum, source, today: paid(sum, 1), yesterday: paid(sum, 2) },
    total: me[sum],
  }))
}

/** A row of sums added up; null when one of them is not known. */
export const sumOf = (amounts: readonly (string | null)[]): string | null =>
  amounts.every((amount) => amount !== null) ? sumAmounts(amounts) : null

/** The accounts of a member that hold USDT and AMC, in the order they are shown. */
const ACCOUNTS = ['available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income'] as const

type Balances = Me['balances']

export interface Holding {
  asset: keyof Balances
  available: string
  /** The other accounts that hold something. */
  others: { account: Exclude<keyof Balances['USDT'], 'available'>; amount: string }[]
}

const MAIN: readonly (keyof Balances)[] = ['USDT', 'AMC', 'RIF']

/** Lists a member's balances by asset: USDT, AMC and RIF always, VC and DIV where positive. */
export function holdings(me: Pick<Me, 'balances'>): Holding[] {
  const assets = ['USDT', 'AMC', 'RIF', 'VC', 'DIV'] as const
  const all = assets.map((asset): Holding => {
    const { available, ...rest } = me.balances[asset]
    const others = ACCOUNTS.flatMap((account) =>
      account !== 'available' && parseMicros(rest[account]) > 0n ? [{ account, amount: rest[account] }] : [],
    )
    return { asset, available, others }
  })
  const holdsAny = ({ available, others }: Holding) => parseMicros(available) > 0n || others.length > 0
  return all.filter((holding) => MAIN.includes(holding.asset) || holdsAny(holding))
}

/** A member's possessions besides the balances, as far as they are loaded. */
export interface WorthParts {
  /** Null while AMC has no price: it is left out then. */
  amcPrice: string | null
  /** Undefined when it could not be read: it is left out then. */
  fund: Pick<FundHoldings, 'market_value'> | undefined
}

/** Returns the worth of a member's USDT, AMC and fund units in USDT. */
export function totalWorth(me: Pick<Me, 'balances'>, { amcPrice, fund }: WorthParts): string {
  const all = (asset: 'USDT' | 'AMC') =>
    ACCOUNTS.reduce((sum, account) => sum + parseMicros(me.balances[asset][account]), 0n)
  const amc = amcPrice === null ? 0n : worth(all('AMC'), parseMicros(amcPrice))
  return formatMicros(all('USDT') + amc + parseMicros(fund?.market_value ?? '0'))
}

/** The UTC day of the net values that held units are worth at; from the oldest to the newest where they differ, null without units. */
export function navDays(holdings: readonly Pick<FundHolding, 'nav_published_at'>[]): string | null {
  const days = holdings
    .flatMap(({ nav_published_at: at }) => (at === null ? [] : [dayOf(Date.parse(at))]))
    .sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return null
  return first === last ? first : `${first} – ${last}`
}

/** The part of the whole that is on the left, from 0 to 1; a half where there is nothing. Only for drawing. */
export function leftShare(left: string, right: string): number {
  const [l, r] = [parseMicros(left), parseMicros(right)]
  return l + r === 0n ? 0.5 : Number((l * 1000n) / (l + r)) / 1000
}
