import type { HashRate } from '@rif/api-schema'
import { formatMicros, parseMicros, quoteHashPower } from '@rif/rules'
import { toAmount } from '../../lib/index.ts'

export type BuyProblem = 'amountRequired' | 'amountInvalid' | 'insufficient' | 'priceUnavailable'

/** The hash power that an amount of AMC buys at the current prices, or the problem with it. */
export type BuyJudgement =
  | { ok: true; amount: string; receives: string; worth: string }
  | { ok: false; problem: BuyProblem }

/** Judges an amount by the same rule as the server, with the figures from the server. Rules, section 11. */
export function judgeBuy(
  input: string,
  { available_amc, prices }: Pick<HashRate, 'available_amc' | 'prices'>,
): BuyJudgement {
  if (input === '') return { ok: false, problem: 'amountRequired' }
  const amount = toAmount(input)
  if (amount === null) return { ok: false, problem: 'amountInvalid' }
  const quote = quoteHashPower(
    { amcMicros: parseMicros(amount), availableMicros: parseMicros(available_amc) },
    {
      amcPriceMicros: prices.AMC === null ? null : parseMicros(prices.AMC),
      rifPriceMicros: prices.RIF === null ? null : parseMicros(prices.RIF),
    },
  )
  if (quote.ok) {
    return {
      ok: true,
      amount,
      receives: formatMicros(quote.rifMicros),
      worth: formatMicros(quote.worthMicros),
    }
  }
  return { ok: false, problem: PROBLEMS[quote.code] }
}

const PROBLEMS = {
  INVALID_AMOUNT: 'amountInvalid',
  PRICE_UNAVAILABLE: 'priceUnavailable',
  INSUFFICIENT_BALANCE: 'insufficient',
} as const
