import { isAmount, MICRO, type Micros, max, min, units, worth } from './money.ts'
import { type Refusal, refuse } from './refusal.ts'

/** For how long a quoted conversion keeps its price or rate. */
export const CONVERSION_QUOTE_MS = 60_000

/** What RIF can be exchanged into. Rules, section 11. */
export const EXCHANGE_TARGETS = ['DIV', 'VC'] as const
export type ExchangeTarget = (typeof EXCHANGE_TARGETS)[number]

/** Units per RIF until the operator sets another rate: 1.0, in micro-units. */
export const DEFAULT_EXCHANGE_RATE: Micros = MICRO

/** On what terms RIF are exchanged into an asset, and what of the day's cap is used. */
export interface ExchangeTerms {
  /** Micro-units of the target for one whole RIF. */
  readonly rateMicros: Micros
  /** RIF that a member may exchange into this target on a UTC day; null: no cap. */
  readonly dayCapMicros: Micros | null
  readonly usedTodayMicros: Micros
}

/** Whether RIF can be exchanged into an asset. */
export function isExchangeTarget(asset: string): asset is ExchangeTarget {
  return asset === 'DIV' || asset === 'VC'
}

/** What is left of a member's day cap in RIF; null where there is none. */
export function exchangeRemaining({
  dayCapMicros,
  usedTodayMicros,
}: Omit<ExchangeTerms, 'rateMicros'>): Micros | null {
  return dayCapMicros === null ? null : max(0n, dayCapMicros - usedTodayMicros)
}

/**
 * What an amount of RIF is exchanged into, floored. Refuses with ASSET_NOT_ALLOWED, INVALID_AMOUNT (also when nothing or
 * too much would come out), INSUFFICIENT_BALANCE, and DAILY_LIMIT with what remains of the cap in RIF. Rules, section 11.
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
 * How much hash power an amount of AMC buys at the published prices, floored twice: its worth, and the units that buys.
 * Refuses with INVALID_AMOUNT (also when nothing or too much would come out), PRICE_UNAVAILABLE, INSUFFICIENT_BALANCE.
 * Rules, section 11.
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

/** A holder's part of a whole in parts per million, floored; 0 where there is nothing. At most 100%. */
export function sharePpm(ownMicros: Micros, allMicros: Micros): number {
  return allMicros <= 0n ? 0 : Number((min(ownMicros, allMicros) * 1_000_000n) / allMicros)
}
