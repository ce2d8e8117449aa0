import type { FundHolding, FundProduct } from '@rif/api-schema'
import {
  chainPrice,
  type Day,
  dayOf,
  formatMicros,
  isRedeemableDay,
  parseMicros,
  quotePurchase,
  unlockTime,
} from '@rif/rules'
import { fundTermsOf } from './fund-view.ts'

export type PurchaseProblem =
  | ('unitsRequired' | 'unitsInvalid' | 'belowMinimum' | 'insufficient')
  | ('closed' | 'tooLow')

/** The price of units now, or the reason why they cannot be bought. Wire amounts. */
export type PurchaseJudgement =
  | { ok: true; units: string; price: string; value: string; fee: string; total: string; lockUntil: string }
  | { ok: false; problem: PurchaseProblem }

export type PayWith = 'available' | 'wallet'

const PROBLEMS = {
  INVALID_AMOUNT: 'unitsInvalid',
  BELOW_MINIMUM: 'belowMinimum',
  PRODUCT_CLOSED: 'closed',
  NAV_TOO_LOW: 'tooLow',
} as const

/**
 * Judges whole units by the same rule as the server, at the price that is shown: the NAV, for the wallet rounded up. The balance counts only where it pays: what
 * a wallet has is looked at before it is asked. Rules, section 8.
 */
export function judgePurchase(
  input: string,
  product: FundProduct,
  { payWith, available, nowMs }: { payWith: PayWith; available: string; nowMs: number },
): PurchaseJudgement {
  if (input === '') return { ok: false, problem: 'unitsRequired' }
  const terms = fundTermsOf(product)
  const navMicros = parseMicros(product.nav)
  const priceMicros = payWith === 'wallet' ? chainPrice(navMicros) : navMicros
  const sale = { isClosed: product.state === 'closed', navMicros }
  const quote = quotePurchase({ units: BigInt(input), priceMicros }, terms, sale)
  if (!quote.ok) return { ok: false, problem: PROBLEMS[quote.code] }
  if (payWith === 'available' && quote.totalMicros > parseMicros(available))
    return { ok: false, problem: 'insufficient' }
  return {
    ok: true,
    units: input,
    price: formatMicros(priceMicros),
    value: formatMicros(quote.valueMicros),
    fee: formatMicros(quote.feeMicros),
    total: formatMicros(quote.totalMicros),
    lockUntil: new Date(unlockTime(nowMs, terms)).toISOString(),
  }
}

/**
 * Returns the largest number of units, below a typed number, that a balance pays with their fee; null if it
 * is less than the smallest purchase.
 */
export function mostUnits(product: FundProduct, available: string, typed: string): string | null {
  const fits = (units: bigint) =>
    judgePurchase(`${units}`, product, { payWith: 'available', available, nowMs: 0 })
  let [least, most] = [0n, BigInt(typed)]
  while (most - least > 1n) {
    const middle = (least + most) / 2n
    const judged = fits(middle)
    if (!judged.ok && judged.problem === 'insufficient') most = middle
    else least = middle
  }
  return fits(least).ok ? `${least}` : null
}

export type RedemptionProblem = 'unitsRequired' | 'unitsInvalid' | 'notRedeemable'

/** Judges whole units to be redeemed against what is free and past its lock period. Rules, section 8. */
export function judgeRedemption(
  input: string,
  { units_redeemable }: Pick<FundHolding, 'units_redeemable'>,
): { ok: true; units: string } | { ok: false; problem: RedemptionProblem } {
  if (input === '') return { ok: false, problem: 'unitsRequired' }
  const units = BigInt(input)
  if (units === 0n) return { ok: false, problem: 'unitsInvalid' }
  return units > BigInt(units_redeemable)
    ? { ok: false, problem: 'notRedeemable' }
    : { ok: true, units: input }
}

/** Returns the reason why no unit of a product can be redeemed at this moment, or null. */
export function redemptionBar(
  holding: Pick<FundHolding, 'units_redeemable'>,
  product: FundProduct,
  today: Day,
): 'weekday' | 'locked' | null {
  if (BigInt(holding.units_redeemable) === 0n) return 'locked'
  return isRedeemableDay(today, fundTermsOf(product)) ? null : 'weekday'
}

/** Today's accounting day, by this device's clock. */
export const today = (): Day => dayOf(Date.now())
