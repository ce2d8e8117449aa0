import type { FundHoldings, Me, Portfolio, PortfolioChange, PortfolioDay } from '@rif/api-schema'
import {
  type MemberAccount,
  type Micros,
  max,
  PLATFORM_ACCOUNTS,
  parseMicros,
  SAVINGS_ACCOUNTS,
  worth,
} from '@rif/rules'
import type { WalletBalances } from '../../wallet/balance-reads.ts'

/** Computes the member's total, its parts, and the causes of its changes. */

/** The four places of money in the total, in the order of display. */
export const PLACES = ['wallet', 'platform', 'savings', 'fund'] as const
export type Place = (typeof PLACES)[number]

/** The ranges of the chart, with the number of days that each reads. */
export const SPANS = { '7': 8, '30': 31, '90': 91, '365': 366, all: 1_096 } as const
export type Span = keyof typeof SPANS

/** An amount of USDT and AMC, in micro-units. */
interface Tokens {
  readonly usdt: Micros
  readonly amc: Micros
}

/** The parts of the total in USDT micro-units; those of an unavailable wallet are null. */
export interface Holdings {
  readonly amcPrice: Micros | null
  readonly wallet: Tokens | null
  readonly platform: Tokens
  readonly savings: Tokens
  readonly fund: Micros
}

export interface HoldingsInput {
  readonly me: Pick<Me, 'balances'>
  /** Null while AMC has no price; it is then not counted. */
  readonly amcPrice: string | null
  readonly fund: Pick<FundHoldings, 'market_value'> | undefined
  readonly wallet: Pick<WalletBalances, 'USDT' | 'AMC'> | undefined
}

export function holdingsOf({ me, amcPrice, fund, wallet }: HoldingsInput): Holdings {
  const sumOf = (asset: 'USDT' | 'AMC', accounts: readonly MemberAccount[]) =>
    accounts.reduce((sum, account) => sum + parseMicros(me.balances[asset][account]), 0n)
  return {
    amcPrice: amcPrice === null ? null : parseMicros(amcPrice),
    wallet: wallet === undefined ? null : { usdt: parseMicros(wallet.USDT), amc: parseMicros(wallet.AMC) },
    platform: { usdt: sumOf('USDT', PLATFORM_ACCOUNTS), amc: sumOf('AMC', PLATFORM_ACCOUNTS) },
    savings: { usdt: sumOf('USDT', SAVINGS_ACCOUNTS), amc: sumOf('AMC', SAVINGS_ACCOUNTS) },
    fund: parseMicros(fund?.market_value ?? '0'),
  }
}

const worthOf = ({ usdt, amc }: Tokens, price: Micros | null): Micros =>
  usdt + (price === null ? 0n : worth(amc, price))

/** Returns the worth of a place in USDT micro-units; 0 for an unavailable wallet. */
export function placeWorth(holdings: Holdings, place: Place): Micros {
  if (place === 'fund') return holdings.fund
  const tokens = holdings[place]
  return tokens === null ? 0n : worthOf(tokens, holdings.amcPrice)
}

/** Returns the total in USDT micro-units: exactly the sum of the places. */
export const portfolioTotalOf = (holdings: Holdings): Micros =>
  PLACES.reduce((sum, place) => sum + placeWorth(holdings, place), 0n)

/** The total at the end of a day, now for today. */
export interface TotalDay {
  readonly day: string
  readonly wallet: Tokens | null
  readonly total: Micros
}

/** A history of the total, with the changes in it. */
export interface PortfolioHistory {
  readonly days: readonly TotalDay[]
  readonly changes: readonly PortfolioChange[]
  /**
   * The amounts that the wallet must have received or sent unnoticed, by day, because its balances are never
   * negative.
   */
  readonly unknown: ReadonlyMap<string, Tokens>
  readonly prices: ReadonlyMap<string, Micros | null>
  readonly source: Portfolio
}

const tokensOf = ({ usdt, amc }: { usdt: string; amc: string }): Tokens => ({
  usdt: parseMicros(usdt),
  amc: parseMicros(amc),
})
const add = (a: Tokens, b: Tokens): Tokens => ({ usdt: a.usdt + b.usdt, amc: a.amc + b.amc })
const less = (a: Tokens, b: Tokens): Tokens => ({ usdt: a.usdt - b.usdt, amc: a.amc - b.amc })
const NONE: Tokens = { usdt: 0n, amc: 0n }

/**
 * Returns the total of each day. The wallet's past balance is its present balance less the movements that the
 * product observed since: payments, claims and transfers. Without the wallet its movements are left out too,
 * so that the days agree with the total.
 */
export function historyOf(source: Portfolio, wallet: HoldingsInput['wallet']): PortfolioHistory {
  const changes =
    wallet === undefined ? source.changes.filter(({ place }) => place !== 'wallet') : source.changes
  const moved = new Map<string, Tokens>()
  for (const change of changes.filter(({ place }) => place === 'wallet'))
    moved.set(change.day, add(moved.get(change.day) ?? NONE, tokensOf(change)))
  const unknown = new Map<string, Tokens>()
  let tokens = wallet === undefined ? null : tokensOf({ usdt: wallet.USDT, amc: wallet.AMC })
  const days: TotalDay[] = []
  for (const day of source.days.toReversed()) {
    days.push({ day: day.day, wallet: tokens, total: dayTotal(day, tokens) })
    if (tokens === null) continue
    const exact = less(tokens, moved.get(day.day) ?? NONE)
    tokens = { usdt: max(exact.usdt, 0n), amc: max(exact.amc, 0n) }
    if (tokens.usdt !== exact.usdt || tokens.amc !== exact.amc) unknown.set(day.day, less(exact, tokens))
  }
  const prices = new Map(source.days.map(({ day, amc_price }) => [day, priceOf(amc_price)]))
  return { days: days.reverse(), changes, unknown, prices, source }
}

const priceOf = (price: string | null) => (price === null ? null : parseMicros(price))

function dayTotal(day: PortfolioDay, wallet: Tokens | null): Micros {
  const price = priceOf(day.amc_price)
  const platform = worthOf(tokensOf(day), price)
  const savings = worthOf({ usdt: parseMicros(day.savings_usdt), amc: parseMicros(day.savings_amc) }, price)
  return (wallet === null ? 0n : worthOf(wallet, price)) + platform + savings + parseMicros(day.fund)
}

/** The causes of a change of the total, in the order of display. */
export const CAUSES = [
  ...(['rewards', 'savings', 'fund', 'dividends', 'granted'] as const),
  ...(['received', 'sent', 'packages', 'withdrawals', 'rif', 'other', 'unknown', 'price'] as const),
] as const
export type Cause = (typeof CAUSES)[number]

const CAUSE_OF: Readonly<Record<string, Cause>> = {
  commission: 'rewards',
  pairing: 'rewards',
  management: 'rewards',
  static: 'rewards',
  savings_interest: 'savings',
  dividend: 'dividends',
  grant: 'granted',
  fund_purchase: 'fund',
  fund_redemption: 'fund',
  fund_income: 'fund',
  fund_paid: 'fund',
  received: 'received',
  sent: 'sent',
  paid: 'packages',
  withdrawal_paid: 'withdrawals',
  claim_set_aside: 'withdrawals',
  claimed: 'withdrawals',
  hash_power_purchase: 'rif',
}

function causeOf({ kind, usdt, amc }: PortfolioChange): Cause {
  if (kind === 'transfer') return usdt.startsWith('-') || amc.startsWith('-') ? 'sent' : 'received'
  return CAUSE_OF[kind] ?? 'other'
}

/** A line of the list of changes. */
export interface ChangeLine {
  readonly cause: Cause
  readonly micros: Micros
  /** The paid packages. */
  readonly titles: readonly string[]
}

/**
 * Returns the changes of the total from the first day of a history to its last: lines that add up to exactly
 * the difference.
 */
export function changeLines(history: PortfolioHistory): ChangeLine[] {
  const { days, changes, unknown, prices, source } = history
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const sums = new Map<Cause, Micros>()
  const plus = (cause: Cause, micros: Micros) => sums.set(cause, (sums.get(cause) ?? 0n) + micros)
  const later = changes.filter(({ day }) => day > first.day)
  for (const change of later) plus(causeOf(change), worthOf(tokensOf(change), prices.get(change.day) ?? null))
  for (const [day, tokens] of unknown)
    if (day > first.day) plus('unknown', worthOf(tokens, prices.get(day) ?? null))
  plus('fund', parseMicros(source.days.at(-1)!.fund) - parseMicros(source.days[0]!.fund))
  const difference = last.total - first.total
  // AMC was revalued at each new price; this includes the rounding of single worths.
  plus('price', difference - [...sums.values()].reduce((sum, micros) => sum + micros, 0n))
  const titles = [
    ...new Set(later.flatMap(({ kind, title }) => (kind === 'paid' && title !== null ? title : []))),
  ]
  return CAUSES.flatMap((cause): ChangeLine[] => {
    const micros = sums.get(cause) ?? 0n
    return micros === 0n ? [] : [{ cause, micros, titles: cause === 'packages' ? titles : [] }]
  })
}

/** A movement that is marked on the chart. */
export interface HistoryEvent {
  readonly kind: 'paid' | 'received' | 'sent'
  readonly title: string | null
  readonly micros: Micros
}

const MARKED = 3
/** The smallest part of the range between two marks, so that their labels do not overlap. */
const APART = 0.25

/** Returns the largest purchases, receipts and sends of a history by day, at most three and not adjacent. */
export function eventsOf({ days, changes, prices }: PortfolioHistory): ReadonlyMap<string, HistoryEvent> {
  const places = new Map(days.map(({ day }, index) => [day, index]))
  const events = changes.flatMap((change): (HistoryEvent & { day: string })[] => {
    const cause = causeOf(change)
    const kind = cause === 'packages' ? 'paid' : cause === 'received' || cause === 'sent' ? cause : null
    if (kind === null || !places.has(change.day)) return []
    const micros = worthOf(tokensOf(change), prices.get(change.day) ?? null)
    return [{ day: change.day, kind, title: change.title, micros: micros < 0n ? -micros : micros }]
  })
  const chosen = new Map<string, HistoryEvent>()
  for (const { day, ...event } of events.sort((a, b) => (a.micros < b.micros ? 1 : -1))) {
    const far = [...chosen.keys()].every(
      (other) => Math.abs(places.get(other)! - places.get(day)!) >= APART * (days.length - 1),
    )
    if (chosen.size < MARKED && far) chosen.set(day, event)
  }
  return chosen
}
