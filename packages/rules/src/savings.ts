import { type Asset, isPaymentAsset, type PaymentAsset } from './assets.ts'
import { floorDiv, isAmount, MICRO, type Micros, max, ONE_PPM, type Ppm, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'
import { priceOf } from './withdrawal.ts'

/** A year's rate is paid in so many daily parts, in leap years too. */
const DAYS_OF_RATE = 365n

/** What a member had in savings at the end of the day before, and transferred out during the day, of one asset. */
export interface SavedDay {
  readonly savedMicros: Micros
  readonly outMicros: Micros
}

/** A year's rate of an asset, in full coverage. Rules, section 9. */
export function savingsRatePpm(asset: PaymentAsset, { savings }: Pick<Plan, 'savings'>): Ppm {
  return asset === 'USDT' ? savings.usdtRatePpm : savings.amcRatePpm
}

/** What earns interest for a day: what lay in savings through all of it. Rules, section 9. */
export function savingsPrincipal({ savedMicros, outMicros }: SavedDay): Micros {
  return max(0n, savedMicros - outMicros)
}

/** A day's interest on a principal, floored once, at the end. Rules, section 9. */
export function savingsDue(principalMicros: Micros, ratePpm: Ppm): Micros {
  return floorDiv(principalMicros * BigInt(ratePpm), DAYS_OF_RATE * MICRO)
}

/** The part of a day's interest of one asset that the savings pool covers, at most 100%; 100% when nothing is due. Rules, section 9. */
export function savingsCoverage(poolMicros: Micros, dueMicros: Micros): Ppm {
  return poolMicros >= dueMicros ? ONE_PPM : Number(floorDiv(poolMicros * MICRO, dueMicros))
}

/** A transfer into or out of savings, and what it is judged by. */
export interface SavingsTransfer {
  readonly asset: Asset
  readonly amountMicros: Micros
  /** Of the account that it comes from: `available` on the way in, `savings` on the way out. */
  readonly balanceMicros: Micros
}

/** What a transfer into or out of savings can be refused with. */
export type SavingsRefusal = Refusal<'ASSET_NOT_ALLOWED' | 'INVALID_AMOUNT' | 'INSUFFICIENT_BALANCE'>

/** Judges a transfer into or out of savings; there is no other limit. Rules, section 9. */
export function judgeSavingsTransfer({
  asset,
  amountMicros,
  balanceMicros,
}: SavingsTransfer): { readonly ok: true; readonly asset: PaymentAsset } | SavingsRefusal {
  if (!isPaymentAsset(asset)) return refuse('ASSET_NOT_ALLOWED')
  if (!isAmount(amountMicros)) return refuse('INVALID_AMOUNT')
  if (amountMicros > balanceMicros) return refuse('INSUFFICIENT_BALANCE')
  return { ok: true, asset }
}

/**
 * How long an amount taken out of savings is on its way to `available`: the short time up to and including the plan's
 * worth in USDT, the long time above it and when AMC never had a price (null). Rules, section 9.
 */
export function savingsOutDelayMs(
  asset: PaymentAsset,
  amountMicros: Micros,
  amcPriceMicros: Micros | null,
  { savings }: Pick<Plan, 'savings'>,
): number {
  const priceMicros = priceOf(asset, amcPriceMicros)
  const isSmall = priceMicros !== null && worth(amountMicros, priceMicros) <= savings.fastUpToMicros
  return isSmall ? savings.fastDelayMs : savings.slowDelayMs
}
