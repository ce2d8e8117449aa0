import type { Exchange, ExchangeTargetName, Launch } from '@rif/api-schema'
import { allotLaunch, formatMicros, max, parseMicros, quoteExchange } from '@rif/rules'
import { toAmount } from '../../lib/index.ts'

export type ExchangeProblem = 'amountRequired' | 'amountInvalid' | 'insufficient' | 'dailyLimit'

/** The result of exchanging an amount of RIF at the current rate, or its problem. */
export type ExchangeJudgement =
  | { ok: true; amount: string; receives: string }
  | { ok: false; problem: ExchangeProblem }

const PROBLEMS = {
  ASSET_NOT_ALLOWED: 'amountInvalid',
  INVALID_AMOUNT: 'amountInvalid',
  INSUFFICIENT_BALANCE: 'insufficient',
  DAILY_LIMIT: 'dailyLimit',
} as const

/** Checks an amount by the same rule as the server, with the figures from the server. Rules, section 11. */
export function judgeExchange(
  input: string,
  to: ExchangeTargetName,
  centre: Pick<Exchange, 'rif' | 'terms'>,
): ExchangeJudgement {
  if (input === '') return { ok: false, problem: 'amountRequired' }
  const amount = toAmount(input)
  if (amount === null) return { ok: false, problem: 'amountInvalid' }
  const { rate, remaining_today } = exchangeTermsOf(centre, to)
  const quote = quoteExchange(
    { to, rifMicros: parseMicros(amount), availableMicros: parseMicros(centre.rif) },
    {
      rateMicros: parseMicros(rate),
      dayCapMicros: remaining_today === null ? null : parseMicros(remaining_today),
      usedTodayMicros: 0n,
    },
  )
  if (quote.ok) return { ok: true, amount, receives: formatMicros(quote.receivesMicros) }
  return { ok: false, problem: PROBLEMS[quote.code] }
}

/** The terms on which RIF are exchanged into an asset. */
export const exchangeTermsOf = ({ terms }: Pick<Exchange, 'terms'>, to: ExchangeTargetName) =>
  terms.find((term) => term.to === to)!

/** Returns the largest exchange at this moment: the available RIF within the rest of the day's cap. */
export function maxExchange(centre: Pick<Exchange, 'rif' | 'terms'>, to: ExchangeTargetName): string {
  const { remaining_today } = exchangeTermsOf(centre, to)
  if (remaining_today === null) return centre.rif
  return parseMicros(remaining_today) < parseMicros(centre.rif) ? remaining_today : centre.rif
}

export type LaunchProblem = 'amountRequired' | 'amountInvalid' | 'insufficient'

/** The allotment for VC if the launch closed now, or the problem of the amount. */
export type LaunchJudgement =
  | { ok: true; amount: string; units: string; returned: string }
  | { ok: false; problem: LaunchProblem }

/** Checks VC for a launch by the rule of its allocation, as if nobody else subscribed. Rules, section 11. */
export function judgeLaunch(input: string, vcAvailable: string, launch: Launch): LaunchJudgement {
  if (input === '') return { ok: false, problem: 'amountRequired' }
  const amount = toAmount(input)
  if (amount === null) return { ok: false, problem: 'amountInvalid' }
  const added = parseMicros(amount)
  if (added > parseMicros(vcAvailable)) return { ok: false, problem: 'insufficient' }
  const offer = {
    allocationMicros: parseMicros(launch.allocation),
    priceMicros: parseMicros(launch.price),
  }
  const own = added + (launch.own === null ? 0n : parseMicros(launch.own.vc))
  const allotment = allotLaunch(offer, own, parseMicros(launch.subscribed) + added)
  return {
    ok: true,
    amount,
    units: formatMicros(allotment.unitsMicros),
    returned: formatMicros(allotment.returnedMicros),
  }
}

/** Returns the subscribed share of a launch in ppm of its capacity; more than 100% when it is oversubscribed. */
export function subscribedPpm({ subscribed, capacity }: Launch): number {
  return Number((parseMicros(subscribed) * 1_000_000n) / max(1n, parseMicros(capacity)))
}
