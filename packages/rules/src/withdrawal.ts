import { type Asset, isPaymentAsset, type PaymentAsset } from './assets.ts'
import { type AuditReason, type Departure, judgeDeparture, type LimitRefusal } from './leaving.ts'
import { isAmount, MICRO, type Micros, max, mul, units, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A requested withdrawal, with the state of the member at the time of the request. */
export interface WithdrawalRequest extends Omit<Departure, 'worthMicros'> {
  readonly asset: Asset
  readonly amountMicros: Micros
  readonly availableMicros: Micros
  /** In USDT micro-units per whole AMC, null when never published; ignored for USDT. */
  readonly amcPriceMicros: Micros | null
}

/** An accepted withdrawal. `netMicros` is paid out; `worthMicros` is its part of the daily limit. */
export interface WithdrawalQuote {
  readonly ok: true
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

/** Returns the fee deducted from an amount: a share of it, at least the plan's minimum worth. Rules, section 7. */
export function withdrawalFee(amountMicros: Micros, priceMicros: Micros, plan: Plan): Micros {
  return max(mul(amountMicros, plan.withdrawal.feePpm), units(plan.withdrawal.minimumFeeMicros, priceMicros))
}

/** Quotes a withdrawal with its fee and first status, or returns the first refusal that applies. Rules, section 7. */
export function quoteWithdrawal(request: WithdrawalRequest, plan: Plan): WithdrawalQuote | WithdrawalRefusal {
  const { asset, amountMicros } = request
  if (!isPaymentAsset(asset)) return refuse('ASSET_NOT_ALLOWED')
  if (!isAmount(amountMicros)) return refuse('INVALID_AMOUNT')
  const priceMicros = priceOf(asset, request.amcPriceMicros)
  if (priceMicros === null) return refuse('PRICE_UNAVAILABLE')
  const feeMicros = withdrawalFee(amountMicros, priceMicros, plan)
  if (amountMicros <= feeMicros) return refuse('AMOUNT_NOT_ABOVE_FEE')
  if (amountMicros > request.availableMicros) return refuse('INSUFFICIENT_BALANCE')

  const worthMicros = worth(amountMicros, priceMicros)
  const judged = judgeDeparture({ ...request, worthMicros }, priceMicros, plan)
  if (!judged.ok) return judged
  const { recentMicros, auditReasons, needsSignature } = judged
  const status = auditReasons.length > 0 ? 'Auditing' : 'Withdrawable'
  const netMicros = amountMicros - feeMicros
  return { ok: true, feeMicros, netMicros, worthMicros, recentMicros, status, auditReasons, needsSignature }
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
