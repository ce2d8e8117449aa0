import { type Day, dayOf, nextDay, startOfDay } from './day.ts'
import { type FundAssets, saleStop } from './fund-assets.ts'
import { isAmount, MAX_MICROS, type Micros, max, min, mul, ONE_PPM, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7

/** The terms of a product. Units are integers, NAVs are USDT micro-units per unit. Rules, section 8. */
export interface FundTerms {
  readonly minimumMicros: Micros
  readonly lockDays: number
  /** 1 Monday to 7 Sunday, UTC. */
  readonly redeemableWeekdays: readonly number[]
  readonly subscriptionPpm: Ppm
  readonly redemptionPpm: Ppm
  /** A share of the profit. */
  readonly managementPpm: Ppm
}

export const ALL_WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7]

/** The price of a purchase: the value goes to the custody of the product, and the fee is added to it. */
export interface PurchaseQuote {
  readonly ok: true
  readonly valueMicros: Micros
  readonly feeMicros: Micros
  readonly totalMicros: Micros
}

/** Quotes units at a price, without checking the member's balance. Rules, section 8. */
export function quotePurchase(
  { units, priceMicros }: { units: bigint; priceMicros: Micros },
  terms: FundTerms,
  sale: Pick<FundAssets, 'isClosed' | 'navMicros'>,
): PurchaseQuote | Refusal<'INVALID_AMOUNT' | 'PRODUCT_CLOSED' | 'NAV_TOO_LOW' | 'BELOW_MINIMUM'> {
  const valueMicros = units * priceMicros
  const feeMicros = mul(valueMicros, terms.subscriptionPpm)
  const totalMicros = valueMicros + feeMicros
  if (!isAmount(units) || totalMicros > MAX_MICROS) return refuse('INVALID_AMOUNT')
  const stop = saleStop(sale)
  if (stop !== null) return refuse(stop)
  if (valueMicros < terms.minimumMicros) return refuse('BELOW_MINIMUM')
  return { ok: true, valueMicros, feeMicros, totalMicros }
}

/** Returns the smallest number of units that reaches the minimum at a positive NAV, at least one. */
export function minimumUnits(navMicros: Micros, { minimumMicros }: FundTerms): bigint {
  return max(1n, (minimumMicros + navMicros - 1n) / navMicros)
}

/** Returns the time from which a lot can be redeemed; a lock day has 24 hours. */
export function unlockTime(boughtAtMs: number, { lockDays }: Pick<FundTerms, 'lockDays'>): number {
  return boughtAtMs + lockDays * DAY_MS
}

/** Reports whether redemptions are accepted on a day. */
export function isRedeemableDay(day: Day, { redeemableWeekdays }: FundTerms): boolean {
  // getUTCDay counts from Sunday = 0.
  const weekday = new Date(startOfDay(day)).getUTCDay() || DAYS_OF_WEEK
  return redeemableWeekdays.includes(weekday)
}

/** Returns the first day, not before the given one, on which redemptions are accepted. A product has at least one weekday. */
export function nextRedeemableDay(from: Day, terms: FundTerms): Day {
  let day = from
  for (let step = 0; step < DAYS_OF_WEEK && !isRedeemableDay(day, terms); step++) day = nextDay(day)
  return day
}

/** A purchased lot. `freeUnits` are not reserved by an open redemption. */
export interface Lot {
  readonly id: bigint
  readonly boughtAtMs: number
  readonly navMicros: Micros
  readonly freeUnits: bigint
}

/** Units taken from a lot. */
export interface LotPart {
  readonly id: bigint
  readonly units: bigint
  readonly navMicros: Micros
}

/** Returns the number of units past their lock period, regardless of the weekday. */
export function redeemableUnits(lots: readonly Lot[], terms: FundTerms, atMs: number): bigint {
  return lots
    .filter((lot) => unlockTime(lot.boughtAtMs, terms) <= atMs)
    .reduce((sum, lot) => sum + lot.freeUnits, 0n)
}

/**
 * Takes units from lots past their lock period, oldest first. Refuses with INVALID_AMOUNT (not positive, or beyond
 * 64 bits) and with UNITS_NOT_REDEEMABLE (another weekday, or too few units). Rules, section 8.
 */
export function takeLots(
  request: { units: bigint; lots: readonly Lot[]; atMs: number },
  terms: FundTerms,
):
  | { readonly ok: true; readonly parts: readonly LotPart[] }
  | Refusal<'INVALID_AMOUNT' | 'UNITS_NOT_REDEEMABLE'> {
  const { units, lots, atMs } = request
  if (!isAmount(units)) return refuse('INVALID_AMOUNT')
  if (!isRedeemableDay(dayOf(atMs), terms)) return refuse('UNITS_NOT_REDEEMABLE')
  if (redeemableUnits(lots, terms, atMs) < units) return refuse('UNITS_NOT_REDEEMABLE')
  const parts: LotPart[] = []
  let left = units
  for (const lot of lots.toSorted(oldestFirst)) {
    const taken = unlockTime(lot.boughtAtMs, terms) <= atMs ? min(left, lot.freeUnits) : 0n
    if (taken > 0n) parts.push({ id: lot.id, units: taken, navMicros: lot.navMicros })
    left -= taken
  }
  return { ok: true, parts }
}

function oldestFirst(a: Lot, b: Lot): number {
  return a.boughtAtMs - b.boughtAtMs || (a.id < b.id ? -1 : 1)
}

/** Returns the purchase price of parts of lots, without fees. */
export function costOf(parts: readonly Pick<LotPart, 'units' | 'navMicros'>[]): Micros {
  return parts.reduce((sum, part) => sum + part.units * part.navMicros, 0n)
}

/** The amounts of a redemption: value = net + both fees. A negative profit is a loss. */
export interface RedemptionFigures {
  readonly valueMicros: Micros
  readonly costMicros: Micros
  readonly profitMicros: Micros
  readonly redemptionFeeMicros: Micros
  readonly managementFeeMicros: Micros
  readonly netMicros: Micros
}

/** Calculates a redemption at a NAV. Refuses with INVALID_AMOUNT when the value exceeds 64 bits. Rules, section 8. */
export function redemptionFigures(
  { units, navMicros, costMicros }: { units: bigint; navMicros: Micros; costMicros: Micros },
  terms: Pick<FundTerms, 'redemptionPpm' | 'managementPpm'>,
): ({ readonly ok: true } & RedemptionFigures) | Refusal<'INVALID_AMOUNT'> {
  const valueMicros = units * navMicros
  if (!isAmount(units) || valueMicros > MAX_MICROS) return refuse('INVALID_AMOUNT')
  const profitMicros = valueMicros - costMicros
  const redemptionFeeMicros = mul(valueMicros, terms.redemptionPpm)
  const managementFeeMicros = min(
    mul(max(0n, profitMicros), terms.managementPpm),
    valueMicros - redemptionFeeMicros,
  )
  const netMicros = valueMicros - redemptionFeeMicros - managementFeeMicros
  return {
    ok: true,
    valueMicros,
    costMicros,
    profitMicros,
    redemptionFeeMicros,
    managementFeeMicros,
    netMicros,
  }
}

/** Returns the part of a management fee that the sponsor of the redeeming member receives. Rules, section 8. */
export function fundIncome(managementFeeMicros: Micros, plan: Plan): Micros {
  return mul(managementFeeMicros, plan.fund.incomePpm)
}

/** Returns the change from one NAV to another in ppm, limited to the largest safe integer; 0 from a NAV of 0. */
export function changePpm(from: Micros, to: Micros): number {
  if (from === 0n) return 0
  const ppm = ((to - from) * BigInt(ONE_PPM)) / from
  return Number(ppm > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : ppm)
}

/** Returns the highest package level whose price the holdings of a member reach, or 0. For information only. */
export function fundLevel(valueMicros: Micros, plan: Plan): number {
  return plan.packages.filter((terms) => terms.priceMicros <= valueMicros).length
}

/** The movements of a product in a month. NAVs are the last ones published before the start and before the end of the month. */
export interface BillMovements {
  readonly openingUnits: bigint
  readonly openingNavMicros: Micros | null
  readonly purchasedUnits: bigint
  readonly purchasedMicros: Micros
  readonly subscriptionFeesMicros: Micros
  /** Units that were paid out in the month. */
  readonly redeemedUnits: bigint
  readonly redeemedMicros: Micros
  readonly redemptionFeesMicros: Micros
  readonly managementFeesMicros: Micros
  readonly closingNavMicros: Micros | null
}

const BILL_SUMS = [
  'openingMicros',
  'purchasedMicros',
  'subscriptionFeesMicros',
  'redeemedMicros',
  'redemptionFeesMicros',
  'managementFeesMicros',
  'closingMicros',
  'profitMicros',
] as const

/** The amounts of a monthly bill; `profitMicros` is after all fees. */
export type BillFigures = { readonly [Key in (typeof BILL_SUMS)[number]]: Micros }

/** Calculates the line of a product in a monthly bill. Rules, section 8. */
export function billLine(movements: BillMovements): BillFigures & { readonly closingUnits: bigint } {
  const { purchasedMicros, subscriptionFeesMicros, redeemedMicros, redemptionFeesMicros } = movements
  const { managementFeesMicros } = movements
  const closingUnits = movements.openingUnits + movements.purchasedUnits - movements.redeemedUnits
  const openingMicros = movements.openingUnits * (movements.openingNavMicros ?? 0n)
  const closingMicros = closingUnits * (movements.closingNavMicros ?? 0n)
  const feesMicros = subscriptionFeesMicros + redemptionFeesMicros + managementFeesMicros
  const profitMicros = closingMicros + redeemedMicros - openingMicros - purchasedMicros - feesMicros
  return {
    openingMicros,
    purchasedMicros,
    subscriptionFeesMicros,
    redeemedMicros,
    redemptionFeesMicros,
    managementFeesMicros,
    closingUnits,
    closingMicros,
    profitMicros,
  }
}

/** Adds up the lines of a bill. */
export function billTotals(lines: readonly BillFigures[]): BillFigures {
  const totals = BILL_SUMS.map((key) => [key, lines.reduce((sum, line) => sum + line[key], 0n)])
  return Object.fromEntries(totals) as BillFigures
}
