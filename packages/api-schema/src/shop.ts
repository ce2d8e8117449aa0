import { z } from 'zod'
import { address, amount, flag, hash, hex, id, page, pageOf, ppm, time } from './primitives.ts'

export const product = z.object({
  product_id: id,
  name: z.string(),
  price: amount,
  level: z.number().int(),
  copies_limit: z.number().int(),
  copies_left: z.number().int(),
  /** Rates of the plan in force. They are ceilings, shown beside what was really paid. */
  referral_ppm: ppm,
  organisation_ppm: ppm,
  static_per_day_ppm: ppm,
  pairing_ppm: ppm,
  pairing_day_cap: amount,
})
export const productsData = z.object({ items: z.array(product) })

/** Order statuses of the specification, section 4; those of the fund join with the fund. */
export const orderStatus = z.enum(['UnPaid', 'Processing', 'Paid', 'Cancelled'])

export const orderQuote = z.object({
  discount: amount,
  rif: amount,
  due: amount,
  usdt: amount,
  amc: amount,
})

export const order = z.object({
  order_id: id,
  /** The id in the bank contract's events, so that a member can look the payment up on chain. */
  chain_order_id: z.string(),
  product_id: id,
  product_name: z.string(),
  level: z.number().int(),
  price: amount,
  amc_price: amount,
  status: orderStatus,
  use_hash_rate: z.boolean(),
  /** What is to be paid, or was paid. */
  quote: orderQuote,
  /** The quote without the discount: the same as `quote` where no hash rate is used. */
  full_quote: orderQuote,
  payer: address,
  created_at: time,
  expires_at: time,
  tx_hash: hash.nullable(),
  confirmations: z.number().int(),
  confirmations_needed: z.number().int(),
  paid_at: time.nullable(),
  collected_at: time.nullable(),
  cancelled_at: time.nullable(),
  cancel_reason: z.enum(['member', 'expired']).nullable(),
  /** A payment that arrived for a closed order: it stands in `suspense` until an operator returns it. */
  unmatched_tx_hash: hash.nullable(),
  payment_method: z.literal('USDT+AMC'),
  service_fee: amount,
  total: amount,
})

export const createOrderBody = z.object({ product_id: id, useHashRate: z.boolean().default(false) })
export const orderParams = z.object({ order_id: id })
export const orderListQuery = page.extend({ status: orderStatus.optional() })
export const orderListData = pageOf(order)
export const useHashRateQuery = z.object({ useHashRate: flag.optional() })

/**
 * Unsigned raw transactions, EIP-1559 serialised, to be decoded and checked in the browser before the wallet sees them.
 * `tx` is the last or only one, null when the allowance already suffices; `before` holds what must come first
 * (USDT: an allowance that is neither zero nor enough is reset to zero).
 */
export const approvalData = z.object({ tx: hex.nullable(), before: z.array(hex) })
export const paymentData = z.object({ tx: hex, deadline: time })

export const payBody = z.object({ order_id: id, tx_hash: hash })
export const cancelOrderBody = z.object({ order_id: id })

export type Product = z.infer<typeof product>
export type Order = z.infer<typeof order>
export type OrderStatus = z.infer<typeof orderStatus>
export type OrderQuote = z.infer<typeof orderQuote>
