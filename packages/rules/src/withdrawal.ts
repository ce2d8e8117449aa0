import { type Asset, isPaymentAsset, type PaymentAsset } from './assets.ts'
import { type AuditReason, type Departure, judgeDeparture, type LimitRefusal } from './leaving.ts'
import { isAmount, MICRO, type Micros, max, min, mul, units, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A requested withdrawal, with the state of the member at the time of the request. */
export interface WithdrawalRequest extends Omit<Departure, 'worthMicros'> {
  readonly asset: Asset
  readonly amountMicros: Micros
  readonly availableMicros: Micros
  /** The amount left of the member's free refunds in the asset; 0 for an address other than the member's own. */
  readonly refundsMicros: Micros
  /** In USDT micro-units per whole AMC, null when never published; ignored for USDT. */
  readonly amcPriceMicros: Micros | null
}

/** An accepted withdrawal. `netMicros` is paid out; `worthMicros` is its part of the daily limit. */
export interface WithdrawalQuote {
  readonly ok: true
  /** The part that is free of the fee, as a refund. */
  readonly refundMicros: Micros
  readonly feeMicros: Micros
  readonly netMicros: Micros
  readonly worthMicros: Micros
  /** The USDT worth that leaves within 24 hours, this withdrawal included. */
  readonly recentMicros: Micros
  readonly status: 'Auditing' | 'Withdrawable'
  readonly auditReasons: readonly AuditReason[]
  readonly needsSignature: boolean
}

export type WithdrawalRefusal =
  | Refusal<
      | 'ASSET_NOT_ALLOWED'
      | 'INVALID_AMOUNT'
      | 'PRICE_UNAVAILABLE'
      | 'AMOUNT_NOT_ABOVE_FEE'
      | 'INSUFFICIENT_BALANCE'
    >
  | LimitRefusal

/** Returns the price of an asset in USDT micro-units per whole unit, which is 1 for USDT. */
export function priceOf(asset: PaymentAsset, amcPriceMicros: Micros | null): Micros | null {
  return asset === 'USDT' ? MICRO : amcPriceMicros
}

/**
 * Returns the fee deducted from an amount: nothing when all of it is a free refund; otherwise a share of the rest, at least
 * the plan's minimum worth. Null when the rest is not larger than the fee, so that the amount cannot be withdrawn. Rules,
 * section 7.
 */
export function withdrawalFee(
  { amountMicros, refundMicros }: { readonly amountMicros: Micros; readonly refundMicros: Micros },
  priceMicros: Micros,
  { withdrawal }: Pick<Plan, 'withdrawal'>,
): Micros | null {
  const restMicros = amountMicros - refundMicros
  if (restMicros === 0n) return 0n
  const feeMicros = max(mul(restMicros, withdrawal.feePpm), units(withdrawal.minimumFeeMicros, priceMicros))
  return restMicros > feeMicros ? feeMicros : null
}

/** Returns how much of each free refund an amount uses, of what is left of each: the first ones first. Rules, section 7. */
export function refundUses(leftMicros: readonly Micros[], amountMicros: Micros): Micros[] {
  let restMicros = amountMicros
  return leftMicros.map((left) => {
    const used = min(left, restMicros)
    restMicros -= used
    return used
  })
}

/** Quotes a withdrawal with its fee and first status, or returns the first refusal that applies. Rules, section 7. */
export function quoteWithdrawal(request: WithdrawalRequest, plan: Plan): WithdrawalQuote | WithdrawalRefusal {
  const { asset, amountMicros } = request
  if (!isPaymentAsset(asset)) return refuse('ASSET_NOT_ALLOWED')
  if (!isAmount(amountMicros)) return refuse('INVALID_AMOUNT')
  const priceMicros = priceOf(asset, request.amcPriceMicros)
  if (priceMicros === null) return refuse('PRICE_UNAVAILABLE')
  const refundMicros = min(amountMicros, request.refundsMicros)
  const feeMicros = withdrawalFee({ amountMicros, refundMicros }, priceMicros, plan)
  if (feeMicros === null) return refuse('AMOUNT_NOT_ABOVE_FEE')
  if (amountMicros > request.availableMicros) return refuse('INSUFFICIENT_BALANCE')

  const worthMicros = worth(amountMicros, priceMicros)
  const judged = judgeDeparture({ ...request, worthMicros }, priceMicros, plan)
  if (!judged.ok) return judged
  const { recentMicros, auditReasons, needsSignature } = judged
  const status = auditReasons.length > 0 ? 'Auditing' : 'Withdrawable'
  const netMicros = amountMicros - feeMicros
  const amounts = { refundMicros, feeMicros, netMicros, worthMicros, recentMicros }
  return { ok: true, ...amounts, status, auditReasons, needsSignature }
}

/** The age below which an account is fresh. */
const FRESH_ACCOUNT_MS = 7 * 24 * 60 * 60_000
/** An amount is sudden above this multiple of the largest payout to the member. */
const SUDDEN_TIMES = 3n

/** A risk that a reviewer sees in addition to the reasons of the audit. */
export type WithdrawalRisk = 'sudden_amount' | 'fresh_account' | 'look_alike'

/**
 * Returns the risks of a withdrawal or transfer under audit. `paidMostMicros` is null before the first payout. A
 * fresh account is a risk above the worth from which new addresses are reviewed: when a product opens, all
 * accounts are fresh. Rules, sections 7 and 10.
 */
export function withdrawalRisks(
  withdrawal: {
    readonly worthMicros: Micros
    /** The worth that leaves within 24 hours, this departure included. */
    readonly recentMicros: Micros
    /** The largest payout to the member, in USDT worth. */
    readonly paidMostMicros: Micros | null
    readonly joinedAtMs: number
    readonly requestedAtMs: number
    /** True when the address looks like another one that the member uses. */
    readonly looksAlike: boolean
  },
  { leaving }: Pick<Plan, 'leaving'>,
): WithdrawalRisk[] {
  const { worthMicros, recentMicros, paidMostMicros, joinedAtMs, requestedAtMs, looksAlike } = withdrawal
  const risks: WithdrawalRisk[] = []
  if (paidMostMicros !== null && worthMicros > paidMostMicros * SUDDEN_TIMES) risks.push('sudden_amount')
  const isFresh = requestedAtMs - joinedAtMs < FRESH_ACCOUNT_MS
  if (isFresh && recentMicros > leaving.reviewNewAboveMicros) risks.push('fresh_account')
  if (looksAlike) risks.push('look_alike')
  return risks
}
