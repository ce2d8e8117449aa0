import { MAX_MICROS, type Micros, max, min, mul, ONE_PPM, type Ppm } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, type RefusalCode, refuse } from './refusal.ts'

/**
 * The assets of a product and what its units are worth (rules, section 8). At every moment
 * `netAssets(assets) >= navMicros * units`.
 */
export interface FundAssets {
  /** The balance of the product's custody. */
  readonly cashMicros: Micros
  /** The part of the cash that is announced for investing, and that nothing else may use. */
  readonly announcedMicros: Micros
  /** The value of all investments: at cost until they are valued. */
  readonly investedMicros: Micros
  /** True while something is invested, even if it is worth nothing. */
  readonly isInvested: boolean
  /** The NAV at which investing began; null if nothing was ever invested. */
  readonly beganNavMicros: Micros | null
  /** Units bought and not paid out yet, and the part of them in approved redemptions. */
  readonly units: bigint
  readonly approvedUnits: bigint
  /** The price of a unit. It changes only by a valuation, a divestment or the payment of a redemption. */
  readonly navMicros: Micros
  /** The price of the first units. */
  readonly openingMicros: Micros
  /** An investment ended with a loss or without holders: no unit is sold, and no money invested any more. */
  readonly isClosed: boolean
}

/** The lowest opening price, and the lowest NAV at which units are sold: 0.01 USDT. */
export const LOWEST_NAV_MICROS: Micros = 10_000n
/** Prices on chain are multiples of this: 0.0001 USDT. */
const CHAIN_PRICE_STEP: Micros = 100n
const CHAIN_PRICE_SLACK_PPM: Ppm = 10_000
/**
 * The default share of the outstanding units that can be sold between two valuations while something is
 * invested.
 */
export const DEFAULT_SOLD_PPM: Ppm = 250_000
/** A proposed valuation lapses after this time. */
export const VALUATION_VALIDITY_MS = 24 * 3_600_000
/**
 * After a rejected or lapsed valuation, further valuations of the same admin do not stop dealing for this
 * time.
 */
const QUIET_MS = 7 * 86_400_000

export function netAssets({ cashMicros, investedMicros }: FundAssets): Micros {
  return cashMicros + investedMicros
}

/**
 * Returns the NAV that results from the assets: the opening price with no units and nothing invested, 0 with
 * no units otherwise.
 */
export function computeNav(assets: FundAssets): Micros {
  if (assets.units > 0n) return netAssets(assets) / assets.units
  return assets.isInvested ? 0n : assets.openingMicros
}

/** Reports whether the assets cover all units at the NAV. */
export function isBacked(assets: FundAssets): boolean {
  return netAssets(assets) >= assets.navMicros * assets.units
}

/** Returns the cash available for redemption payments. */
export function freeCash({ cashMicros, announcedMicros }: FundAssets): Micros {
  return cashMicros - announcedMicros
}

/** Returns the cash available for investing: free cash less the units of approved redemptions at the NAV. */
export function investable(assets: FundAssets): Micros {
  return max(0n, freeCash(assets) - assets.approvedUnits * assets.navMicros)
}

type Outcome<Code extends RefusalCode> =
  | ({ readonly ok: true; readonly assets: FundAssets } & Ending)
  | Refusal<Code>

interface Ending {
  /** Cash that belongs to nobody and goes to `revenue`. */
  readonly remainderMicros: Micros
}

/** Reserves cash for an announced investment. */
export function announce(
  assets: FundAssets,
  amountMicros: Micros,
): Outcome<'INVALID_AMOUNT' | 'PRODUCT_CLOSED' | 'INSUFFICIENT_BALANCE'> {
  if (amountMicros <= 0n || assets.investedMicros + assets.announcedMicros + amountMicros > MAX_MICROS)
    return refuse('INVALID_AMOUNT')
  if (assets.isClosed) return refuse('PRODUCT_CLOSED')
  if (amountMicros > investable(assets)) return refuse('INSUFFICIENT_BALANCE')
  return kept({ ...assets, announcedMicros: assets.announcedMicros + amountMicros })
}

/** Releases reserved cash. */
export function release(assets: FundAssets, amountMicros: Micros): { assets: FundAssets } & Ending {
  return settle({ ...assets, announcedMicros: assets.announcedMicros - amountMicros })
}

/** Moves reserved cash into investments, which count at cost. The NAV stays while there are units. */
export function invest(assets: FundAssets, amountMicros: Micros): FundAssets {
  const invested = {
    ...assets,
    cashMicros: assets.cashMicros - amountMicros,
    announcedMicros: assets.announcedMicros - amountMicros,
    investedMicros: assets.investedMicros + amountMicros,
    isInvested: true,
    beganNavMicros: assets.isInvested ? assets.beganNavMicros : assets.navMicros,
  }
  // Without units the money belongs to nobody, and no unit is sold at the opening price.
  return { ...invested, navMicros: assets.units === 0n ? computeNav(invested) : assets.navMicros }
}

/** Values all investments of a product and computes its NAV. */
export function valueAssets(
  assets: FundAssets,
  valueMicros: Micros,
): Outcome<'INVALID_AMOUNT' | 'NOTHING_INVESTED'> {
  if (!isValue(valueMicros)) return refuse('INVALID_AMOUNT')
  const valued = { ...assets, investedMicros: valueMicros }
  const navMicros = computeNav(valued)
  if (navMicros > MAX_MICROS) return refuse('INVALID_AMOUNT')
  if (!assets.isInvested) return refuse('NOTHING_INVESTED')
  return kept({ ...valued, navMicros })
}

/**
 * Returns an amount to the cash and values the remaining investments. When that ends an investment, the
 * product is closed if no unit is outstanding, or if the NAV is below the one at which investing began.
 */
export function divest(
  assets: FundAssets,
  { amountMicros, leftMicros }: { amountMicros: Micros; leftMicros: Micros },
): Outcome<'INVALID_AMOUNT' | 'NOTHING_INVESTED'> {
  const cashMicros = assets.cashMicros + amountMicros
  if (!isValue(amountMicros) || !isValue(leftMicros) || !isValue(cashMicros)) return refuse('INVALID_AMOUNT')
  const divested = { ...assets, cashMicros, investedMicros: leftMicros, isInvested: leftMicros > 0n }
  const navMicros = computeNav(divested)
  if (navMicros > MAX_MICROS) return refuse('INVALID_AMOUNT')
  if (assets.beganNavMicros === null) return refuse('NOTHING_INVESTED')
  const hasEnded = assets.isInvested && !divested.isInvested
  const isLoss = hasEnded && (assets.units === 0n || navMicros < assets.beganNavMicros)
  const closed = { ...divested, navMicros, isClosed: assets.isClosed || isLoss }
  return { ok: true, ...settle(closed) }
}

/** Sells units at a price, which is at least the NAV. The NAV stays. */
export function sellUnits(assets: FundAssets, units: bigint, priceMicros: Micros): FundAssets {
  return {
    ...assets,
    cashMicros: assets.cashMicros + units * priceMicros,
    units: assets.units + units,
  }
}

/**
 * Pays units of an approved redemption at the NAV, out of free cash, and computes the NAV. Null while the NAV is 0 or the
 * cash does not suffice.
 */
export function payUnits(
  assets: FundAssets,
  units: bigint,
): ({ readonly assets: FundAssets; readonly valueMicros: Micros } & Ending) | null {
  const valueMicros = units * assets.navMicros
  if (valueMicros === 0n || valueMicros > freeCash(assets)) return null
  const paid = {
    ...assets,
    cashMicros: assets.cashMicros - valueMicros,
    units: assets.units - units,
    approvedUnits: assets.approvedUnits - units,
  }
  return { ...settle({ ...paid, navMicros: min(computeNav(paid), MAX_MICROS) }), valueMicros }
}

/**
 * Reverses a purchase whose payment was lost. Custody returns the price as far as the other holders' units
 * stay covered; `advanceMicros` is added by the operator.
 */
export function undoSale(
  assets: FundAssets,
  units: bigint,
  priceMicros: Micros,
): { readonly assets: FundAssets; readonly advanceMicros: Micros } & Ending {
  const left = assets.units - units
  const mustStay = max(assets.announcedMicros, left * assets.navMicros - assets.investedMicros)
  const valueMicros = units * priceMicros
  const advanceMicros = max(0n, valueMicros - max(0n, assets.cashMicros - mustStay))
  const cashMicros = assets.cashMicros + advanceMicros - valueMicros
  const undone = { ...assets, cashMicros, units: left }
  const navMicros = left === 0n ? computeNav(undone) : assets.navMicros
  return { ...settle({ ...undone, navMicros }), advanceMicros }
}

/** Reverses an investment that did not happen: its cash is reserved again. The net assets do not fall. */
export function undoInvestment(
  assets: FundAssets,
  { costMicros, valueMicros, isLast }: { costMicros: Micros; valueMicros: Micros; isLast: boolean },
): FundAssets {
  return {
    ...assets,
    cashMicros: assets.cashMicros + costMicros,
    announcedMicros: assets.announcedMicros + costMicros,
    investedMicros: assets.investedMicros - valueMicros,
    isInvested: !isLast,
  }
}

/**
 * Reverses the cash of a divestment that did not arrive: it counts as invested again. `advanceMicros` is
 * added by the operator where the cash was spent.
 */
export function undoDivestment(
  assets: FundAssets,
  amountMicros: Micros,
): { readonly assets: FundAssets; readonly advanceMicros: Micros } {
  const advanceMicros = max(0n, amountMicros - freeCash(assets))
  const cashMicros = assets.cashMicros + advanceMicros - amountMicros
  const investedMicros = assets.investedMicros + amountMicros
  return { assets: { ...assets, cashMicros, investedMicros, isInvested: true }, advanceMicros }
}

/** Takes cash out that belongs to nobody: no unit is outstanding and nothing is invested. */
function settle(assets: FundAssets): { assets: FundAssets } & Ending {
  const isOwned = assets.units > 0n || assets.isInvested
  const remainderMicros = isOwned ? 0n : freeCash(assets)
  return { assets: { ...assets, cashMicros: assets.cashMicros - remainderMicros }, remainderMicros }
}

function kept(assets: FundAssets): { ok: true; assets: FundAssets } & Ending {
  return { ok: true, assets, remainderMicros: 0n }
}

/** Zero or an amount. */
function isValue(micros: Micros): boolean {
  return micros >= 0n && micros <= MAX_MICROS
}

/** Spreads a value over parts in proportion to their weights; without any weight, evenly. The parts add up to the value. */
export function spreadValue(valueMicros: Micros, weights: readonly Micros[]): Micros[] {
  const even = weights.every((weight) => weight === 0n)
  let left = valueMicros
  let leftWeight = even ? BigInt(weights.length) : weights.reduce((sum, weight) => sum + weight, 0n)
  return weights.map((weight) => {
    const own = even ? 1n : weight
    const part = leftWeight === 0n ? 0n : (left * own) / leftWeight
    left -= part
    leftWeight -= own
    return part
  })
}

/** The facts that decide whether a product deals: buys, approvals and payments of redemptions. */
export interface Dealing {
  readonly isInvested: boolean
  /** The last valuation; null if nothing was ever invested. */
  readonly valuedAtMs: number | null
  /** A valuation is proposed that stops dealing, and is not decided. */
  readonly isValuationProposed: boolean
}

/** Reports whether the last valuation is too old for dealing. Rules, section 8. */
export function isNavStale(
  { isInvested, valuedAtMs }: Omit<Dealing, 'isValuationProposed'>,
  atMs: number,
  plan: Plan,
): boolean {
  return isInvested && atMs - (valuedAtMs ?? 0) > plan.fund.navMaxAgeMs
}

/** Returns why a product does not deal now; null when it does. */
export function dealingStop(dealing: Dealing, atMs: number, plan: Plan): 'NAV_STALE' | null {
  return dealing.isValuationProposed || isNavStale(dealing, atMs, plan) ? 'NAV_STALE' : null
}

/** Returns why a product sells no units now, apart from `dealingStop`. */
export function saleStop({ isClosed, navMicros }: Pick<FundAssets, 'isClosed' | 'navMicros'>) {
  if (isClosed) return 'PRODUCT_CLOSED'
  return navMicros < LOWEST_NAV_MICROS ? 'NAV_TOO_LOW' : null
}

/** Reports whether a valuation that an admin proposes stops dealing, by the time at which the admin's last unsuccessful one ended. */
export function stopsDealing(lastFailedAtMs: number | null, atMs: number): boolean {
  return lastFailedAtMs === null || atMs - lastFailedAtMs >= QUIET_MS
}

/** Returns the price of a unit that is paid on chain: the NAV rounded up to a multiple of 0.0001. */
export function chainPrice(navMicros: Micros): Micros {
  return ((navMicros + CHAIN_PRICE_STEP - 1n) / CHAIN_PRICE_STEP) * CHAIN_PRICE_STEP
}

/** Reports whether a quoted price still holds when its payment is final: not below the NAV, and at most 1% and 0.0001 above it. */
export function isPriceValid(quotedMicros: Micros, navMicros: Micros): boolean {
  const excess = quotedMicros - navMicros
  return excess >= 0n && excess <= mul(quotedMicros, CHAIN_PRICE_SLACK_PPM) + CHAIN_PRICE_STEP
}

/** The limits of a product; null for none. */
export interface UnitLimits {
  readonly maxMemberUnits: bigint | null
  readonly maxUnits: bigint | null
  /**
   * The share of the units at the last valuation that can be sold until the next one while something is
   * invested.
   */
  readonly soldPpm: Ppm | null
}

/** The quantities that the limits count. */
export interface UnitCounts {
  readonly units: bigint
  readonly memberUnits: bigint
  readonly unitsAtValuation: bigint
  readonly soldSinceValuation: bigint
  readonly isInvested: boolean
}

export type UnitLimit = 'member' | 'product' | 'valuation'

/**
 * Returns the number of units that a member may still buy, and the limit that applies; null without a limit.
 */
export function unitsLeft(
  { maxMemberUnits, maxUnits, soldPpm }: UnitLimits,
  counts: UnitCounts,
): { readonly limit: UnitLimit; readonly units: bigint } | null {
  const left = (most: bigint, used: bigint) => max(0n, most - used)
  const limits: { limit: UnitLimit; units: bigint }[] = []
  if (maxMemberUnits !== null)
    limits.push({ limit: 'member', units: left(maxMemberUnits, counts.memberUnits) })
  if (maxUnits !== null) limits.push({ limit: 'product', units: left(maxUnits, counts.units) })
  if (soldPpm !== null && counts.isInvested) {
    const most = (counts.unitsAtValuation * BigInt(soldPpm)) / BigInt(ONE_PPM)
    limits.push({ limit: 'valuation', units: left(most, counts.soldSinceValuation) })
  }
  return limits.reduce<(typeof limits)[number] | null>(
    (tightest, limit) => (tightest === null || limit.units < tightest.units ? limit : tightest),
    null,
  )
}
