import type { Order, OrderQuote } from '@rif/api-schema'
import { canBePaid, formatMicros, type Micros, toChainUnits } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type ChainPace, confirmationsOf, secondsOf } from '../../chain/confirmations.ts'
import { packOnChainId } from '../../chain/onchain-id.ts'
import type { Mismatch } from './checkout/checkout.service.ts'
import type { OrderRow, QuoteColumns } from './shop.repository.ts'

/** One of an order's two quotes; `dueMicros` is the base of the commissions it causes. */
export interface Quote {
  readonly discountMicros: Micros
  readonly rifMicros: Micros
  readonly dueMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** Returns the quote without the discount. */
export function fullQuote(order: QuoteColumns): Quote {
  return {
    discountMicros: 0n,
    rifMicros: 0n,
    dueMicros: order.price_micros,
    usdtMicros: order.full_usdt_micros,
    amcMicros: order.full_amc_micros,
  }
}

/** Returns the quote with the hash-rate discount, or null if there is none yet. */
export function discountedQuote(order: QuoteColumns): Quote | null {
  const { discount_micros, rif_micros, discounted_usdt_micros, discounted_amc_micros } = order
  if (discount_micros === null) return null
  return {
    discountMicros: discount_micros,
    rifMicros: rif_micros!,
    dueMicros: order.price_micros - discount_micros,
    usdtMicros: discounted_usdt_micros!,
    amcMicros: discounted_amc_micros!,
  }
}

/** Returns the quote that the member chose or has paid. */
export function chosenQuote(order: QuoteColumns): Quote {
  return (order.use_hash_rate ? discountedQuote(order) : null) ?? fullQuote(order)
}

/**
 * Returns the RIF held for an order: from its first discounted quote until it is paid, or cannot be paid any more.
 */
export function heldRifMicros(order: OrderRow): Micros {
  return order.holds_rif ? order.rif_micros! : 0n
}

/** A payment in the bank contract's event; amounts in base units of the tokens. */
export interface ChainPayment {
  readonly payer: string
  readonly usdtAmount: bigint
  readonly amcAmount: bigint
}

/** Decimals of the two tokens on chain. */
export type Decimals = { readonly USDT: number; readonly AMC: number }

/**
 * Returns the quote of an order that a payment pays exactly, or the reason why it pays none. The bank enforces the deadline,
 * so a payment also pays a cancelled order, with the discount while its RIF are held. If a tiny discount leaves both quotes
 * equal, it is the full one: the member paid the full price and keeps the RIF.
 */
export function matchPayment(order: OrderRow, payment: ChainPayment, decimals: Decimals): Quote | Mismatch {
  if (!canBePaid(order.status)) return 'closed_order'
  if (payment.payer.toLowerCase() !== order.payer) return 'wrong_payer'
  const pays = (quote: Quote): boolean =>
    toChainUnits(quote.usdtMicros, decimals.USDT) === payment.usdtAmount &&
    toChainUnits(quote.amcMicros, decimals.AMC) === payment.amcAmount
  if (pays(fullQuote(order))) return fullQuote(order)
  const discounted = discountedQuote(order)
  if (discounted === null || !pays(discounted)) return 'wrong_amount'
  return order.holds_rif ? discounted : 'closed_order'
}

/** Returns an order in the API's format. */
export function orderView(order: OrderRow, pace: ChainPace): Order {
  const quote = chosenQuote(order)
  return {
    order_id: `${order.order_id}`,
    chain_order_id: `${packOnChainId(order.member_id, order.order_id)}`,
    product_id: `${order.package_id}`,
    product_name: order.package_name,
    level: order.level,
    price: formatMicros(order.price_micros),
    amc_price: formatMicros(order.amc_price_micros),
    status: order.status,
    use_hash_rate: order.use_hash_rate,
    quote: quoteView(quote),
    full_quote: quoteView(fullQuote(order)),
    payer: getAddress(order.payer as Hex),
    bank: getAddress(order.bank as Hex),
    created_at: order.created_at.toISOString(),
    expires_at: order.expires_at.toISOString(),
    tx_hash: order.tx_hash,
    confirmations: confirmationsOf(order.seen_block, order.status === 'Paid', pace),
    confirmations_needed: pace.confirmationsNeeded,
    usual_seconds: secondsOf(pace.bookedMs),
    paid_at: order.paid_at?.toISOString() ?? null,
    collected_at: order.collected_at?.toISOString() ?? null,
    // An order that was paid after its cancellation is a paid one.
    cancelled_at: order.status === 'Cancelled' ? order.cancelled_at!.toISOString() : null,
    cancel_reason: order.status === 'Cancelled' ? order.cancel_reason : null,
    unmatched_tx_hash: order.unmatched_tx_hash,
    payment_method: 'USDT+AMC',
    // There is no fee on top of the price.
    service_fee: formatMicros(0n),
    total: formatMicros(quote.dueMicros),
  }
}

/** Returns a quote in the API's format. */
export function quoteView(quote: Quote): OrderQuote {
  return {
    discount: formatMicros(quote.discountMicros),
    rif: formatMicros(quote.rifMicros),
    due: formatMicros(quote.dueMicros),
    usdt: formatMicros(quote.usdtMicros),
    amc: formatMicros(quote.amcMicros),
  }
}
