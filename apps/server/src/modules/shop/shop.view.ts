import type { Order, OrderQuote } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type ChainHead, confirmationsOf } from '../../chain/confirmations.ts'
import { packOnChainId } from '../../chain/onchain-id.ts'
import { chosenQuote, fullQuote, type Quote } from './shop.quotes.ts'
import type { OrderRow } from './shop.repository.ts'

/** An order as the API answers it. */
export function orderView(order: OrderRow, head: ChainHead): Order {
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
    created_at: order.created_at.toISOString(),
    expires_at: order.expires_at.toISOString(),
    tx_hash: order.tx_hash,
    confirmations: confirmationsOf(order.seen_block, order.status === 'Paid', head),
    confirmations_needed: head.confirmationsNeeded,
    paid_at: order.paid_at?.toISOString() ?? null,
    collected_at: order.collected_at?.toISOString() ?? null,
    cancelled_at: order.cancelled_at?.toISOString() ?? null,
    cancel_reason: order.cancel_reason,
    unmatched_tx_hash: order.unmatched_tx_hash,
    payment_method: 'USDT+AMC',
    // Buying costs nothing on top of the price.
    service_fee: formatMicros(0n),
    total: formatMicros(quote.dueMicros),
  }
}

function quoteView(quote: Quote): OrderQuote {
  return {
    discount: formatMicros(quote.discountMicros),
    rif: formatMicros(quote.rifMicros),
    due: formatMicros(quote.dueMicros),
    usdt: formatMicros(quote.usdtMicros),
    amc: formatMicros(quote.amcMicros),
  }
}
