import { type Micros, max, units } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The reasons for holding a departure until an admin has reviewed it. */
export type AuditReason = 'large_amount' | 'new_address' | 'risk_flag'

/**
 * A withdrawal or transfer that a member requests, with the state of the member at that time. Worths are USDT
 * micro-units.
 */
export interface Departure {
  readonly worthMicros: Micros
  readonly level: number
  /** The worth that left earlier on this UTC day, without cancelled and rejected requests. */
  readonly usedTodayMicros: Micros
  /** The worth that left within the 24 hours before, without cancelled and rejected requests. */
  readonly usedRecentlyMicros: Micros
  /** The worth that left or was converted without a signature within the 24 hours before. */
  readonly unsignedMicros: Micros
  /**
   * True for the member's own address and for a recipient whom the member has paid before: by a withdrawal,
   * or by a transfer that is 24 hours old or was reviewed.
   */
  readonly addressTrusted: boolean
  /** Of a transfer: the worth that went to untrusted members within the 24 hours before. Null for a withdrawal. */
  readonly sentToNewMicros: Micros | null
  /**
   * True for a transfer to a recipient never used before, and for a withdrawal to an address other than the
   * member's own.
   */
  readonly alwaysSigned: boolean
  readonly riskFlagged: boolean
}

/** A departure that is within the limit. */
export interface AllowedDeparture {
  readonly ok: true
  /** The amount that leaves within 24 hours, this departure included. */
  readonly recentMicros: Micros
  /** Empty when the departure needs no review. */
  readonly auditReasons: readonly AuditReason[]
  /** True when the member's wallet must sign the amount and the recipient. */
  readonly needsSignature: boolean
}

/** The refusal of a departure above the rest of the daily limit, in USDT worth and in the asset. */
export interface LimitRefusal extends Refusal<'DAILY_LIMIT'> {
  readonly remainingMicros: Micros
  readonly remainingAmountMicros: Micros
}

/**
 * Returns the rest of a member's daily limit for withdrawals and transfers together, in USDT worth. Rules,
 * sections 7 and 10.
 */
export function remainingToday(level: number, usedTodayMicros: Micros, plan: Plan): Micros {
  return max(0n, (plan.withdrawal.dayLimitMicros[level] ?? 0n) - usedTodayMicros)
}

/**
 * Judges every departure that a member requests by one policy: the daily limit, the signs of risk, including
 * the sum of 24 hours, and whether a signature is needed. `priceMicros` is the price of the asset. Rules,
 * sections 7 and 10.
 */
export function judgeDeparture(
  departure: Departure,
  priceMicros: Micros,
  plan: Plan,
): AllowedDeparture | LimitRefusal {
  const { worthMicros } = departure
  const remainingMicros = remainingToday(departure.level, departure.usedTodayMicros, plan)
  if (worthMicros > remainingMicros) {
    const remainingAmountMicros = units(remainingMicros, priceMicros)
    return { ...refuse('DAILY_LIMIT'), remainingMicros, remainingAmountMicros }
  }
  const recentMicros = departure.usedRecentlyMicros + worthMicros
  const auditReasons: AuditReason[] = []
  if (recentMicros > plan.withdrawal.auditAboveMicros) auditReasons.push('large_amount')
  if (isNewAddress(departure, plan)) auditReasons.push('new_address')
  if (departure.riskFlagged) auditReasons.push('risk_flag')
  const needsSignature =
    departure.alwaysSigned || isAboveUnsigned(departure.unsignedMicros, worthMicros, plan)
  return { ok: true, recentMicros, auditReasons, needsSignature }
}

/**
 * Reports whether a departure goes to a new address and needs review for it. Splitting does not help, because
 * an address stays new for 24 hours and all transfers to new ones count together.
 */
function isNewAddress({ addressTrusted, sentToNewMicros, worthMicros }: Departure, plan: Plan): boolean {
  if (addressTrusted) return false
  return sentToNewMicros === null || sentToNewMicros + worthMicros > plan.leaving.reviewNewAboveMicros
}

/**
 * Reports whether the member's wallet must sign what cannot be taken back at the same worth. `unsignedMicros`
 * is the worth that left or was converted without a signature within the 24 hours before; `worthMicros` is
 * the worth of what is given, null without a price, which counts as above the bound. Rules, section 10.
 */
export function isAboveUnsigned(
  unsignedMicros: Micros,
  worthMicros: Micros | null,
  { leaving }: Plan,
): boolean {
  if (worthMicros === null) return true
  return worthMicros > 0n && unsignedMicros + worthMicros > leaving.signAboveMicros
}

/** The window of the policy's sums. What happened exactly this long ago counts no longer. */
export const RECENT_MS = 24 * 3_600_000

/** A member's switch "saved addresses only", in milliseconds since the epoch; null for never. */
export interface SavedOnlySwitch {
  readonly onSinceMs: number | null
  /** The time from which it is off again; null unless it was switched off. */
  readonly offFromMs: number | null
}

/** Reports whether only saved addresses can be used. Rules, section 10. */
export function isSavedOnly({ onSinceMs, offFromMs }: SavedOnlySwitch, nowMs: number): boolean {
  return onSinceMs !== null && (offFromMs === null || nowMs < offFromMs)
}

/** Returns the time from which an address that is saved, or a switch that is turned off, takes effect. Rules, section 10. */
export const afterSavedDelay = (fromMs: number, plan: Plan): number => fromMs + plan.leaving.savedDelayMs

/** The refusal of an address that is not saved, or was saved too recently; `usableFromMs` since the epoch. */
export type SavedRefusal =
  | Refusal<'ADDRESS_NOT_SAVED'>
  | (Refusal<'ADDRESS_TOO_NEW'> & { readonly usableFromMs: number })

/** Checks the recipient of a member who uses saved addresses only. `savedAtMs` is null for one that is not saved. Rules, section 10. */
export function judgeSavedAddress(
  address: { readonly savedAtMs: number | null; readonly isOwn: boolean },
  member: SavedOnlySwitch,
  nowMs: number,
  plan: Plan,
): { readonly ok: true } | SavedRefusal {
  if (address.isOwn || !isSavedOnly(member, nowMs)) return { ok: true }
  if (address.savedAtMs === null) return refuse('ADDRESS_NOT_SAVED')
  const usableFromMs = afterSavedDelay(address.savedAtMs, plan)
  return usableFromMs <= nowMs ? { ok: true } : { ...refuse('ADDRESS_TOO_NEW'), usableFromMs }
}

/** Returns the number of persons who must approve what moves this worth; null is an unknown worth. Rules, section 12. */
export function approversNeeded(worthMicros: Micros | null, { approval }: Plan): number {
  return worthMicros === null || worthMicros > approval.severalAboveMicros ? approval.approvers : 1
}
