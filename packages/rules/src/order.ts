import { isAmount, type Micros, min, mul, units, worth } from './money.ts'
import type { Plan } from './plan.ts'
import { type Refusal, refuse } from './refusal.ts'

/** What an order costs. `dueMicros` is also the base of the commissions it causes. Rules, sections 4 and 5. */
export interface OrderQuote {
  readonly ok: true
  readonly dueMicros: Micros
  readonly discountMicros: Micros
  readonly rifMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** What a quote depends on: prices in USDT micro-units per whole unit, null when never published. */
export interface OrderQuoteInput {
  readonly priceMicros: Micros
  readonly useHashRate: boolean
  readonly rifAvailableMicros: Micros
  readonly rifPriceMicros: Micros | null
  readonly amcPriceMicros: Micros | null
  readonly plan: Plan
}

/** The part of a price that hash power pays, and how much RIF that takes. */
export interface HashRateDiscount {
  readonly discountMicros: Micros
  readonly rifMicros: Micros
}

/**
 * The discount that available hash power gives on a price: at most the plan's percentage of it; none when it would take
 * no RIF. Rules, section 4.
 */
export function hashRateDiscount(
  priceMicros: Micros,
  rifAvailableMicros: Micros,
  rifPriceMicros: Micros,
  plan: Plan,
): HashRateDiscount {
  const wishedMicros = min(
    mul(priceMicros, plan.order.hashRatePpm),
    worth(rifAvailableMicros, rifPriceMicros),
  )
  const rifMicros = units(wishedMicros, rifPriceMicros)
  return { discountMicros: rifMicros > 0n ? wishedMicros : 0n, rifMicros }
}

const NO_DISCOUNT: HashRateDiscount = { discountMicros: 0n, rifMicros: 0n }

/**
 * Quotes a package: the discount paid in RIF, what is due in USDT worth, and its split into USDT and AMC. Rules, section 4.
 * Refuses with PRICE_UNAVAILABLE without an AMC price, or without a RIF price when the discount is asked for (even by a
 * member without RIF, who with a price would order undiscounted); with INVALID_AMOUNT when the AMC would not fit 64 bits.
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

/** How a received payment of one asset is divided between the commission pool and revenue, without a remainder. Rules, section 4. */
export function splitPayment(
  receivedMicros: Micros,
  plan: Plan,
): { poolMicros: Micros; revenueMicros: Micros } {
  const poolMicros = mul(receivedMicros, plan.order.commissionSharePpm)
  return { poolMicros, revenueMicros: receivedMicros - poolMicros }
}

/** An unpaid order of a member, as far as `allowOrder` looks at it. */
export interface UnpaidOrder {
  readonly level: number
  /** When its quote ends, in milliseconds since the epoch. */
  readonly expiresAtMs: number
}

/** A member has an open order for the package already. */
export interface OpenOrderRefusal<Order extends UnpaidOrder> extends Refusal<'ORDER_OPEN'> {
  readonly order: Order
}

/**
 * Whether a member may order a package at a time: at most one unpaid order with a running quote for each package, so that
 * nobody holds all copies by ordering again and again. One whose quote has ended can no longer be paid and is in nobody's
 * way. Rules, section 4.
 */
export function allowOrder<Order extends UnpaidOrder>(
  unpaid: readonly Order[],
  level: number,
  nowMs: number,
): { readonly ok: true } | OpenOrderRefusal<Order> {
  const order = unpaid.find((one) => one.level === level && one.expiresAtMs >= nowMs)
  return order === undefined ? { ok: true } : { ...refuse('ORDER_OPEN'), order }
}

/** Until when a quote can be paid, in milliseconds: whole seconds, because those are what the contract counts. Rules, section 4. */
export function quoteDeadline(createdAtMs: number, plan: Plan): number {
  const deadlineMs = createdAtMs + plan.order.quoteValidityMs
  return deadlineMs - (deadlineMs % 1_000)
}
