import { type Asset, isPaymentAsset, type PaymentAsset } from './assets.ts'
import { addDays, type Day, monthOf, nextDay, startOfDay } from './day.ts'
import { floorDiv, isAmount, MICRO, type Micros, max, ONE_PPM, type Ppm, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'
import { priceOf } from './withdrawal.ts'

/** The number of daily parts of a yearly rate, also in leap years. */
const DAYS_OF_RATE = 365n

/** The savings of a member in one asset at the end of the day before, and the amount transferred out during the day. */
export interface SavedDay {
  readonly savedMicros: Micros
  readonly outMicros: Micros
}

/** Returns the yearly rate of an asset, in full coverage. Rules, section 9. */
export function savingsRatePpm(asset: PaymentAsset, { savings }: Pick<Plan, 'savings'>): Ppm {
  return asset === 'USDT' ? savings.usdtRatePpm : savings.amcRatePpm
}

/** Returns the amount that earns interest for a day: the savings held during the whole day. Rules, section 9. */
export function savingsPrincipal({ savedMicros, outMicros }: SavedDay): Micros {
  return max(0n, savedMicros - outMicros)
}

/** Returns the interest of a day, floored once at the end. Rules, section 9. */
export function savingsDue(principalMicros: Micros, ratePpm: Ppm): Micros {
  return floorDiv(principalMicros * BigInt(ratePpm), DAYS_OF_RATE * MICRO)
}

/** Returns the part of the interest of one asset that the savings pool covers, at most 100%; 100% when nothing is due. Rules, section 9. */
export function savingsCoverage(poolMicros: Micros, dueMicros: Micros): Ppm {
  return poolMicros >= dueMicros ? ONE_PPM : Number(floorDiv(poolMicros * MICRO, dueMicros))
}

/** A transfer into or out of savings. */
export interface SavingsTransfer {
  readonly asset: Asset
  readonly amountMicros: Micros
  /** The balance of the source account: `available` for transfers in, `savings` for transfers out. */
  readonly balanceMicros: Micros
}

export type SavingsRefusal = Refusal<'ASSET_NOT_ALLOWED' | 'INVALID_AMOUNT' | 'INSUFFICIENT_BALANCE'>

/** Checks a transfer into or out of savings. Rules, section 9. */
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

/** The interval at which a standing transfer moves its amount. */
export const STANDING_PERIODS = ['day', 'week', 'month'] as const
export type StandingPeriod = (typeof STANDING_PERIODS)[number]

/** The number of days that a period offers: for a month the 28 that every month has. */
export const STANDING_DAYS: Readonly<Record<StandingPeriod, number>> = { day: 1, week: 7, month: 28 }

/**
 * Returns the first day after `after` on which a standing transfer falls due. `onDay` is 1 (Monday) to 7 of a week, 1 to 28 of a
 * month. Rules, section 9.
 */
export function nextStandingDay(every: StandingPeriod, onDay: number, after: Day): Day {
  if (every === 'day') return nextDay(after)
  if (every === 'week') {
    const weekday = new Date(startOfDay(after)).getUTCDay() || 7
    return addDays(after, ((onDay - weekday + 6) % 7) + 1)
  }
  const dayOfMonth = String(onDay).padStart(2, '0')
  const inMonth = `${monthOf(after)}-${dayOfMonth}`
  return inMonth > after ? inMonth : `${monthOf(addDays(`${monthOf(after)}-28`, 4))}-${dayOfMonth}`
}

/** The savings of a member, including what is on its way out; prices are USDT micro-units per unit. */
export interface SavingsHeld {
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
  /** Null when never published. */
  readonly amcPriceMicros: Micros | null
}

/**
 * Returns the worth of a transfer into savings that counts as not taken back at the same worth: the part by
 * which the savings in both assets, this transfer included, exceed the plan's figure. Null for an unknown
 * worth. Rules, section 10.
 */
export function savingsInWorth(
  asset: PaymentAsset,
  amountMicros: Micros,
  { usdtMicros, amcMicros, amcPriceMicros }: SavingsHeld,
  { leaving }: Pick<Plan, 'leaving'>,
): Micros | null {
  const priceMicros = priceOf(asset, amcPriceMicros)
  if (priceMicros === null) return null
  const worthMicros = worth(amountMicros, priceMicros)
  // Savings without a price are above any bound.
  if (amcMicros > 0n && amcPriceMicros === null) return worthMicros
  const savedMicros = usdtMicros + worth(amcMicros, amcPriceMicros ?? 0n)
  const freeMicros = max(0n, leaving.savingsFreeMicros - savedMicros)
  return max(0n, worthMicros - freeMicros)
}

/**
 * Returns the duration of a transfer out of savings: the short time while the transfers out of the last 24
 * hours, this one included, are worth at most the plan's USDT, else the long time. Null stands for a worth
 * without a known price, which is above the bound. Rules, section 9.
 */
export function savingsOutDelayMs(
  worthMicros: Micros | null,
  recentMicros: Micros | null,
  { savings }: Pick<Plan, 'savings'>,
): number {
  const isSmall =
    worthMicros !== null && recentMicros !== null && recentMicros + worthMicros <= savings.fastUpToMicros
  return isSmall ? savings.fastDelayMs : savings.slowDelayMs
}
