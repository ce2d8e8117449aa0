import { type Asset, isPaymentAsset, type PaymentAsset } from './assets.ts'
import { isAmount, MICRO, type Micros, max, mul, units, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** Why a withdrawal waits for an admin. */
export type AuditReason = 'large_amount' | 'new_address' | 'risk_flag'

/** A request and what it is judged by, all as of the request. */
export interface WithdrawalRequest {
  readonly asset: Asset
  readonly amountMicros: Micros
  readonly availableMicros: Micros
  /** AMC in USDT micro-units per whole unit, null when never published; not looked at for USDT. */
  readonly amcPriceMicros: Micros | null
  readonly level: number
  /** USDT worth already requested on this UTC day, without what was cancelled or rejected. */
  readonly usedTodayMicros: Micros
  /** Whether the address is the member's own, or one that an earlier successful withdrawal of this member went to. */
  readonly addressTrusted: boolean
  readonly riskFlagged: boolean
}

/** A withdrawal that can be made. `netMicros` is what arrives; `worthMicros` is what it takes of the day's limit. */
export interface WithdrawalQuote {
  readonly ok: true
  readonly feeMicros: Micros
  readonly netMicros: Micros
  readonly worthMicros: Micros
  readonly status: 'Auditing' | 'Withdrawable'
  readonly auditReasons: readonly AuditReason[]
}

/** A request over what remains of the day's limit, with the remainder in USDT worth and as an amount of the asset. */
export interface WithdrawalLimitRefusal extends Refusal<'DAILY_LIMIT'> {
  readonly remainingMicros: Micros
  readonly remainingAmountMicros: Micros
}

/** What a withdrawal request can be refused with. */
export type WithdrawalRefusal =
  | Refusal<
      | 'ASSET_NOT_ALLOWED'
      | 'INVALID_AMOUNT'
      | 'PRICE_UNAVAILABLE'
      | 'AMOUNT_NOT_ABOVE_FEE'
      | 'INSUFFICIENT_BALANCE'
    >
  | WithdrawalLimitRefusal

/** The price of an asset in USDT micro-units per whole unit: USDT is worth itself. */
export function priceOf(asset: PaymentAsset, amcPriceMicros: Micros | null): Micros | null {
  return asset === 'USDT' ? MICRO : amcPriceMicros
}

/** The fee taken out of an amount: a share of it, at least the plan's minimum worth. Price as for `worth`, 1 for USDT. Rules, section 7. */
export function withdrawalFee(amountMicros: Micros, priceMicros: Micros, plan: Plan): Micros {
  return max(mul(amountMicros, plan.withdrawal.feePpm), units(plan.withdrawal.minimumFeeMicros, priceMicros))
}

/** What remains of a member's limit today, in USDT worth. Rules, section 7. */
export function withdrawalRemaining(level: number, usedTodayMicros: Micros, plan: Plan): Micros {
  return max(0n, (plan.withdrawal.dayLimitMicros[level] ?? 0n) - usedTodayMicros)
}

/** Judges a withdrawal request: fee, limit and first status, or the first refusal that applies. Rules, section 7. */
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
  const remainingMicros = withdrawalRemaining(request.level, request.usedTodayMicros, plan)
  if (worthMicros > remainingMicros) {
    return {
      ...refuse('DAILY_LIMIT'),
      remainingMicros,
      remainingAmountMicros: units(remainingMicros, priceMicros),
    }
  }

  const auditReasons: AuditReason[] = []
  if (worthMicros > plan.withdrawal.auditAboveMicros) auditReasons.push('large_amount')
  if (!request.addressTrusted) auditReasons.push('new_address')
  if (request.riskFlagged) auditReasons.push('risk_flag')
  const status = auditReasons.length > 0 ? 'Auditing' : 'Withdrawable'
  return { ok: true, feeMicros, netMicros: amountMicros - feeMicros, worthMicros, status, auditReasons }
}
