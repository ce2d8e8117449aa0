import { isAmount, type Micros, min, mul, units, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** The price of an order. `dueMicros` is also the base of its commissions. Rules, sections 4 and 5. */
export interface OrderQuote {
  readonly ok: true
  readonly dueMicros: Micros
  readonly discountMicros: Micros
  readonly rifMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** The input of a quote. Prices are USDT micro-units per whole unit, null when never published. */
export interface OrderQuoteInput {
  readonly priceMicros: Micros
  readonly useHashRate: boolean
  readonly rifAvailableMicros: Micros
  readonly rifPriceMicros: Micros | null
  readonly amcPriceMicros: Micros | null
  readonly plan: Plan
}

/** The part of a price paid with hash power, and the RIF used for it. */
export interface HashRateDiscount {
  readonly discountMicros: Micros
  readonly rifMicros: Micros
}

/**
 * Returns the discount for the available hash power: at most the plan's percentage of the price, and none when it uses no
 * RIF. Rules, section 4.
 */
export function hashRateDiscount(
  priceMicros: Micros,
  rifAvailableMicros: Micros,
  rifPriceMicros: Micros,
  plan: Plan,
): HashRateDiscount {
  const largestMicros = min(
    mul(priceMicros, plan.order.hashRatePpm),
    worth(rifAvailableMicros, rifPriceMicros),
  )
  const rifMicros = units(largestMicros, rifPriceMicros)
  return { discountMicros: rifMicros > 0n ? largestMicros : 0n, rifMicros }
}

const NO_DISCOUNT: HashRateDiscount = { discountMicros: 0n, rifMicros: 0n }

/**
 * Quotes a package: the discount paid in RIF, the due amount in USDT worth, and its split into USDT and AMC. Refuses with
 * PRICE_UNAVAILABLE without an AMC price, or without a RIF price when the discount is requested (even by a member without
 * RIF), and with INVALID_AMOUNT when the AMC exceed 64 bits. Rules, section 4.
 */
export function quoteOrder(
  input: OrderQuoteInput,
): OrderQuote | Refusal<'PRICE_UNAVAILABLE' | 'INVALID_AMOUNT'> {
  const { priceMicros, useHashRate, rifPriceMicros, amcPriceMicros, plan } = input
  if (amcPriceMicros === null || (useHashRate && rifPriceMicros === null)) return refuse('PRICE_UNAVAILABLE')

  const { discountMicros, rifMicros } =
    useHashRate && rifPriceMicros !== null
      ? hashRateDiscount(priceMicros, input.rifAvailableMicros, rifPriceMicros, plan)
      : NO_DISCOUNT

  const dueMicros = priceMicros - discountMicros
  const usdtMicros = mul(dueMicros, plan.order.usdtSharePpm)
  const amcMicros = units(dueMicros - usdtMicros, amcPriceMicros)
  if (amcMicros > 0n && !isAmount(amcMicros)) return refuse('INVALID_AMOUNT')
  return { ok: true, dueMicros, discountMicros, rifMicros, usdtMicros, amcMicros }
}

/** Divides a received payment of one asset between the commission pool and revenue, without a remainder. Rules, section 4. */
export function splitPayment(
  receivedMicros: Micros,
  plan: Plan,
): { poolMicros: Micros; revenueMicros: Micros } {
  const poolMicros = mul(receivedMicros, plan.order.commissionSharePpm)
  return { poolMicros, revenueMicros: receivedMicros - poolMicros }
}

/** The part of an unpaid order that `allowOrder` reads. */
export interface UnpaidOrder {
  readonly level: number
  /** The end of its quote, in milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** The refusal of an order for a package for which the member has an open order. */
export interface OpenOrderRefusal<Order extends UnpaidOrder> extends Refusal<'ORDER_OPEN'> {
  readonly order: Order
}

/**
 * Reports whether a member can order a package: at most one unpaid order with a valid quote for each package, so that nobody pays
 * for a package twice by mistake. An order whose quote has ended can no longer be paid and does not count. Rules, section 4.
 */
export function allowOrder<Order extends UnpaidOrder>(
  unpaid: readonly Order[],
  level: number,
  nowMs: number,
): { readonly ok: true } | OpenOrderRefusal<Order> {
  const order = unpaid.find((item) => item.level === level && item.expiresAtMs >= nowMs)
  return order === undefined ? { ok: true } : { ...refuse('ORDER_OPEN'), order }
}

/** Returns the end of a quote in milliseconds, rounded down to seconds, the unit of the contract. Rules, section 4. */
export function quoteDeadline(createdAtMs: number, plan: Plan): number {
  const deadlineMs = createdAtMs + plan.order.quoteValidityMs
  return deadlineMs - (deadlineMs % 1_000)
}
