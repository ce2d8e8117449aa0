import { type Micros, type OrderStatus, toChainUnits } from '@rif/rules'
import type { Selectable } from 'kysely'
import type { Orders } from '../../db/types.gen.ts'
import type { Mismatch } from '../checkout/checkout.service.ts'

/** An order as it is stored; the migration says what the columns mean. */
export type OrderRow = Selectable<Orders>

/** One of an order's two quotes; `dueMicros` is the base of the commissions it causes. */
export interface Quote {
  readonly discountMicros: Micros
  readonly rifMicros: Micros
  readonly dueMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** The columns of an order that its quotes are in. */
export type QuoteColumns = Pick<
  OrderRow,
  | 'price_micros'
  | 'full_usdt_micros'
  | 'full_amc_micros'
  | 'discount_micros'
  | 'rif_micros'
  | 'discounted_usdt_micros'
  | 'discounted_amc_micros'
  | 'use_hash_rate'
>

/** The quote without the discount. */
export function fullQuote(order: QuoteColumns): Quote {
  return {
    discountMicros: 0n,
    rifMicros: 0n,
    dueMicros: order.price_micros,
    usdtMicros: order.full_usdt_micros,
    amcMicros: order.full_amc_micros,
  }
}

/** The quote with the hash-rate discount, null as long as none was given. */
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

/** The quote the member means to pay, or has paid. */
export function chosenQuote(order: QuoteColumns): Quote {
  return (order.use_hash_rate ? discountedQuote(order) : null) ?? fullQuote(order)
}

/** RIF held for an order: from its first discounted quote until it closes. */
export function heldRifMicros(order: OrderRow): Micros {
  return isOpen(order.status) ? (order.rif_micros ?? 0n) : 0n
}

/** Whether an order may still be paid. */
export function isOpen(status: OrderStatus): boolean {
  return status === 'UnPaid' || status === 'Processing'
}

/** A payment as the bank contract's event tells it; amounts in base units of the tokens. */
export interface ChainPayment {
  readonly payer: string
  readonly usdtAmount: bigint
  readonly amcAmount: bigint
}

/** Decimals of the two tokens on chain. */
export type Decimals = { readonly USDT: number; readonly AMC: number }

/**
 * Which of an open order's quotes a payment pays, exactly. Where a tiny discount leaves both the same, it is the full
 * one: the member paid the full price and keeps the RIF.
 */
export function matchPayment(order: OrderRow, payment: ChainPayment, decimals: Decimals): Quote | Mismatch {
  if (!isOpen(order.status)) return 'closed_order'
  if (payment.payer.toLowerCase() !== order.payer) return 'wrong_payer'
  const pays = (quote: Quote): boolean =>
    toChainUnits(quote.usdtMicros, decimals.USDT) === payment.usdtAmount &&
    toChainUnits(quote.amcMicros, decimals.AMC) === payment.amcAmount
  const quotes = [fullQuote(order), discountedQuote(order)]
  return quotes.find((quote) => quote !== null && pays(quote)) ?? 'wrong_amount'
}
