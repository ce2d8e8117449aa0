import { isAmount, MICRO, type Micros, max, min, units, worth } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The validity of a conversion quote. */
export const CONVERSION_QUOTE_MS = 60_000

/** The assets that RIF can be exchanged for. Rules, section 11. */
export const EXCHANGE_TARGETS = ['DIV', 'VC'] as const
export type ExchangeTarget = (typeof EXCHANGE_TARGETS)[number]

/** The exchange rate until the operator sets another: 1 unit per RIF. */
export const DEFAULT_EXCHANGE_RATE: Micros = MICRO

/** The terms of exchanging RIF for an asset, and the used part of the daily cap. */
export interface ExchangeTerms {
  /** Micro-units of the target for one whole RIF. */
  readonly rateMicros: Micros
  /** The RIF that a member can exchange for this asset on a UTC day; null for no cap. */
  readonly dayCapMicros: Micros | null
  readonly usedTodayMicros: Micros
}

/** Reports whether RIF can be exchanged for an asset. */
export function isExchangeTarget(asset: string): asset is ExchangeTarget {
  return asset === 'DIV' || asset === 'VC'
}

/** Returns the remainder of a member's daily cap in RIF; null without a cap. */
export function exchangeRemaining({
  dayCapMicros,
  usedTodayMicros,
}: Omit<ExchangeTerms, 'rateMicros'>): Micros | null {
  return dayCapMicros === null ? null : max(0n, dayCapMicros - usedTodayMicros)
}

/**
 * Quotes an exchange of RIF, floored. Refuses with ASSET_NOT_ALLOWED, INVALID_AMOUNT (also when the result is zero or
 * exceeds 64 bits), INSUFFICIENT_BALANCE, and DAILY_LIMIT with the remainder of the cap in RIF. Rules, section 11.
 */
export function quoteExchange(
  request: { readonly to: string; readonly rifMicros: Micros; readonly availableMicros: Micros },
  terms: ExchangeTerms,
):
  | { readonly ok: true; readonly receivesMicros: Micros }
  | Refusal<'ASSET_NOT_ALLOWED' | 'INVALID_AMOUNT' | 'INSUFFICIENT_BALANCE'>
  | (Refusal<'DAILY_LIMIT'> & { readonly remainingMicros: Micros }) {
  const { to, rifMicros, availableMicros } = request
  if (!isExchangeTarget(to)) return refuse('ASSET_NOT_ALLOWED')
  const receivesMicros = worth(rifMicros, terms.rateMicros)
  if (!isAmount(rifMicros) || !isAmount(receivesMicros)) return refuse('INVALID_AMOUNT')
  if (rifMicros > availableMicros) return refuse('INSUFFICIENT_BALANCE')
  const remainingMicros = exchangeRemaining(terms)
  if (remainingMicros !== null && rifMicros > remainingMicros) {
    return { ...refuse('DAILY_LIMIT'), remainingMicros }
  }
  return { ok: true, receivesMicros }
}

/** Prices in USDT micro-units per whole unit, null when never published. */
export interface HashPowerPrices {
  readonly amcPriceMicros: Micros | null
  readonly rifPriceMicros: Micros | null
}

/**
 * Quotes the hash power that an amount of AMC buys at the published prices. Both its worth and the units are floored. Refuses
 * with INVALID_AMOUNT (also when the result is zero or exceeds 64 bits), PRICE_UNAVAILABLE and INSUFFICIENT_BALANCE. Rules, section 11.
 */
export function quoteHashPower(
  { amcMicros, availableMicros }: { readonly amcMicros: Micros; readonly availableMicros: Micros },
  { amcPriceMicros, rifPriceMicros }: HashPowerPrices,
):
  | { readonly ok: true; readonly worthMicros: Micros; readonly rifMicros: Micros }
  | Refusal<'INVALID_AMOUNT' | 'PRICE_UNAVAILABLE' | 'INSUFFICIENT_BALANCE'> {
  if (!isAmount(amcMicros)) return refuse('INVALID_AMOUNT')
  if (amcPriceMicros === null || rifPriceMicros === null) return refuse('PRICE_UNAVAILABLE')
  const worthMicros = worth(amcMicros, amcPriceMicros)
  const rifMicros = units(worthMicros, rifPriceMicros)
  if (!isAmount(rifMicros)) return refuse('INVALID_AMOUNT')
  if (amcMicros > availableMicros) return refuse('INSUFFICIENT_BALANCE')
  return { ok: true, worthMicros, rifMicros }
}

/** Returns a holder's share of a total in ppm, floored and at most 100%; 0 when the total is 0. */
export function sharePpm(ownMicros: Micros, allMicros: Micros): number {
  return allMicros <= 0n ? 0 : Number((min(ownMicros, allMicros) * 1_000_000n) / allMicros)
}
