import { type Day, dayOf, nextDay, startOfDay } from './day.ts'
import { isAmount, type Micros, max, min, mul, ONE_PPM, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7

/** What a product asks of those who buy and redeem. Whole units are plain integers, NAVs are USDT micro-units per unit. Rules, section 8. */
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

/** Every day of the week. */
export const ALL_WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5, 6, 7]

/** What buying costs: the value goes to the product's custody, the fee comes on top. */
export interface PurchaseQuote {
  readonly ok: true
  readonly valueMicros: Micros
  readonly feeMicros: Micros
  readonly totalMicros: Micros
}

/** Quotes whole units at a NAV. What the member has is not looked at. Rules, section 8. */
export function quotePurchase(
  { units, navMicros }: { units: bigint; navMicros: Micros },
  terms: FundTerms,
): PurchaseQuote | Refusal<'INVALID_AMOUNT' | 'BELOW_MINIMUM'> {
  const valueMicros = units * navMicros
  const feeMicros = mul(valueMicros, terms.subscriptionPpm)
  const totalMicros = valueMicros + feeMicros
  if (!isAmount(units) || !isAmount(totalMicros)) return refuse('INVALID_AMOUNT')
  if (valueMicros < terms.minimumMicros) return refuse('BELOW_MINIMUM')
  return { ok: true, valueMicros, feeMicros, totalMicros }
}

/** The fewest units that reach the minimum; at least one. */
export function minimumUnits(navMicros: Micros, { minimumMicros }: FundTerms): bigint {
  return max(1n, (minimumMicros + navMicros - 1n) / navMicros)
}

/** When a lot bought at a time can be redeemed; lock days are multiples of 24 hours. */
export function unlockTime(boughtAtMs: number, { lockDays }: Pick<FundTerms, 'lockDays'>): number {
  return boughtAtMs + lockDays * DAY_MS
}

/** Whether redemptions are taken on a day. */
export function isRedeemableDay(day: Day, { redeemableWeekdays }: FundTerms): boolean {
  // getUTCDay counts from Sunday = 0.
  const weekday = new Date(startOfDay(day)).getUTCDay() || DAYS_OF_WEEK
  return redeemableWeekdays.includes(weekday)
}

/** The first day from the given one on, itself included, on which redemptions are taken. A product has at least one weekday. */
export function nextRedeemableDay(from: Day, terms: FundTerms): Day {
  let day = from
  for (let step = 0; step < DAYS_OF_WEEK && !isRedeemableDay(day, terms); step++) day = nextDay(day)
  return day
}

/** A purchase that is held. `freeUnits` are those that no open redemption has reserved. */
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

/** How many units could be redeemed at a time, whatever the weekday. */
export function redeemableUnits(lots: readonly Lot[], terms: FundTerms, atMs: number): bigint {
  return lots
    .filter((lot) => unlockTime(lot.boughtAtMs, terms) <= atMs)
    .reduce((sum, lot) => sum + lot.freeUnits, 0n)
}

/**
 * Takes whole units from lots past their lock period, oldest first. Refuses with INVALID_AMOUNT (no positive amount, or a
 * value beyond 64 bits), and with UNITS_NOT_REDEEMABLE on another weekday or when there are not as many. Rules, section 8.
 */
export function takeLots(
  request: { units: bigint; navMicros: Micros; lots: readonly Lot[]; atMs: number },
  terms: FundTerms,
):
  | { readonly ok: true; readonly parts: readonly LotPart[] }
  | Refusal<'INVALID_AMOUNT' | 'UNITS_NOT_REDEEMABLE'> {
  const { units, navMicros, lots, atMs } = request
  if (!isAmount(units) || !isAmount(units * navMicros)) return refuse('INVALID_AMOUNT')
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

/** What parts of lots cost when they were bought, without fees. */
export function costOf(parts: readonly Pick<LotPart, 'units' | 'navMicros'>[]): Micros {
  return parts.reduce((sum, part) => sum + part.units * part.navMicros, 0n)
}

/** A redemption in figures: value = net + both fees; negative profit is a loss. */
export interface RedemptionFigures {
  readonly valueMicros: Micros
  readonly costMicros: Micros
  readonly profitMicros: Micros
  readonly redemptionFeeMicros: Micros
  readonly managementFeeMicros: Micros
  readonly netMicros: Micros
}

/** What units that cost so much bring at a NAV. Refuses with INVALID_AMOUNT when the value does not fit 64 bits. Rules, section 8. */
export function redemptionFigures(
  { units, navMicros, costMicros }: { units: bigint; navMicros: Micros; costMicros: Micros },
  terms: Pick<FundTerms, 'redemptionPpm' | 'managementPpm'>,
): ({ readonly ok: true } & RedemptionFigures) | Refusal<'INVALID_AMOUNT'> {
  const valueMicros = units * navMicros
  if (!isAmount(valueMicros)) return refuse('INVALID_AMOUNT')
  const profitMicros = valueMicros - costMicros
  const redemptionFeeMicros = mul(valueMicros, terms.redemptionPpm)
  const managementFeeMicros = min(
    mul(max(0n, profitMicros), terms.managementPpm),
    valueMicros - redemptionFeeMicros,
  )
  const netMicros = valueMicros - redemptionFeeMicros - managementFeeMicros
  return {
    ok: true,
    ...{ valueMicros, costMicros, profitMicros, redemptionFeeMicros, managementFeeMicros, netMicros },
  }
}

/** A movement of a payout: out of the product's custody, to the member's `available`, to `fees`, or from principal to proceeds. */
export interface PayoutMove {
  readonly from: 'principal' | 'proceeds'
  readonly to: 'available' | 'fees' | 'proceeds'
  readonly amountMicros: Micros
}

/**
 * How a redemption is paid: what its units cost leaves `principal`, a gain comes out of `proceeds`, a loss goes there; so
 * nobody's gain is another holder's principal. The net is paid first, the fees last. Rules, section 8.
 */
export function payoutMoves(figures: RedemptionFigures): PayoutMove[] {
  const { valueMicros, costMicros, netMicros } = figures
  const paidFromPrincipal = min(valueMicros, costMicros)
  const netFromPrincipal = min(netMicros, paidFromPrincipal)
  const netFromProceeds = netMicros - netFromPrincipal
  const moves: PayoutMove[] = [
    { from: 'principal', to: 'available', amountMicros: netFromPrincipal },
    { from: 'proceeds', to: 'available', amountMicros: netFromProceeds },
    { from: 'principal', to: 'fees', amountMicros: paidFromPrincipal - netFromPrincipal },
    { from: 'proceeds', to: 'fees', amountMicros: valueMicros - paidFromPrincipal - netFromProceeds },
    { from: 'principal', to: 'proceeds', amountMicros: costMicros - paidFromPrincipal },
  ]
  return moves.filter((move) => move.amountMicros > 0n)
}

/** The cash of `proceeds` that a payout needs. */
export function proceedsNeeded({ profitMicros }: Pick<RedemptionFigures, 'profitMicros'>): Micros {
  return max(0n, profitMicros)
}

/** What the redeeming member's sponsor gets out of a management fee. Rules, section 8. */
export function fundIncome(managementFeeMicros: Micros, plan: Plan): Micros {
  return mul(managementFeeMicros, plan.fund.incomePpm)
}

/** Whether a NAV may be published: what the units outstanding are worth at it is backed by the attested assets. Rules, section 8. */
export function isNavBacked(navMicros: Micros, unitsOutstanding: bigint, assetsMicros: Micros): boolean {
  return navMicros * unitsOutstanding <= assetsMicros
}

/** Whether a NAV is too old to buy or redeem at. Rules, section 8. */
export function isNavStale(publishedAtMs: number, atMs: number, plan: Plan): boolean {
  return atMs - publishedAtMs > plan.fund.navMaxAgeMs
}

/** From one NAV, above zero, to another, in ppm; what leaves the range of whole numbers is cut off there. */
export function changePpm(from: Micros, to: Micros): number {
  const ppm = ((to - from) * BigInt(ONE_PPM)) / from
  return Number(ppm > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : ppm)
}

/** The package level whose price a member's holdings reach: information only, 0 below the first. */
export function fundLevel(valueMicros: Micros, plan: Plan): number {
  return plan.packages.filter((terms) => terms.priceMicros <= valueMicros).length
}

/** What happened with a product in a month, and what was held before. NAVs are the last published before the month began and before it ended. */
export interface BillMovements {
  readonly openingUnits: bigint
  readonly openingNavMicros: Micros | null
  readonly purchasedUnits: bigint
  readonly purchasedMicros: Micros
  readonly subscriptionFeesMicros: Micros
  /** Units count as held until they are paid out. */
  readonly redeemedUnits: bigint
  readonly redeemedMicros: Micros
  readonly redemptionFeesMicros: Micros
  readonly managementFeesMicros: Micros
  readonly closingNavMicros: Micros | null
}

/** A month in money; `profitMicros` is after all fees. */
export interface BillFigures {
  readonly openingMicros: Micros
  readonly purchasedMicros: Micros
  readonly subscriptionFeesMicros: Micros
  readonly redeemedMicros: Micros
  readonly redemptionFeesMicros: Micros
  readonly managementFeesMicros: Micros
  readonly closingMicros: Micros
  readonly profitMicros: Micros
}

/** A product's line of a monthly bill. Rules, section 8. */
export function billLine(movements: BillMovements): BillFigures & { readonly closingUnits: bigint } {
  const { purchasedMicros, subscriptionFeesMicros, redeemedMicros, redemptionFeesMicros } = movements
  const { managementFeesMicros } = movements
  const closingUnits = movements.openingUnits + movements.purchasedUnits - movements.redeemedUnits
  const openingMicros = movements.openingUnits * (movements.openingNavMicros ?? 0n)
  const closingMicros = closingUnits * (movements.closingNavMicros ?? 0n)
  const feesMicros = subscriptionFeesMicros + redemptionFeesMicros + managementFeesMicros
  const profitMicros = closingMicros + redeemedMicros - openingMicros - purchasedMicros - feesMicros
  return {
    ...{ openingMicros, purchasedMicros, subscriptionFeesMicros, redeemedMicros, redemptionFeesMicros },
    ...{ managementFeesMicros, closingUnits, closingMicros, profitMicros },
  }
}

const NO_FIGURES: BillFigures = {
  openingMicros: 0n,
  purchasedMicros: 0n,
  subscriptionFeesMicros: 0n,
  redeemedMicros: 0n,
  redemptionFeesMicros: 0n,
  managementFeesMicros: 0n,
  closingMicros: 0n,
  profitMicros: 0n,
}

/** The sums of a bill's lines. */
export function billTotals(lines: readonly BillFigures[]): BillFigures {
  return lines.reduce<BillFigures>(
    (sum, line) => ({
      openingMicros: sum.openingMicros + line.openingMicros,
      purchasedMicros: sum.purchasedMicros + line.purchasedMicros,
      subscriptionFeesMicros: sum.subscriptionFeesMicros + line.subscriptionFeesMicros,
      redeemedMicros: sum.redeemedMicros + line.redeemedMicros,
      redemptionFeesMicros: sum.redemptionFeesMicros + line.redemptionFeesMicros,
      managementFeesMicros: sum.managementFeesMicros + line.managementFeesMicros,
      closingMicros: sum.closingMicros + line.closingMicros,
      profitMicros: sum.profitMicros + line.profitMicros,
    }),
    NO_FIGURES,
  )
}
