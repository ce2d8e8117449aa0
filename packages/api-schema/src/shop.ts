import { z } from 'zod'
import { address, amount, flag, hash, hex, id, page, pageOf, ppm, time } from './primitives.ts'

export const product = z.object({
  product_id: id,
  name: z.string(),
  price: amount,
  level: z.number().int(),
  copies_limit: z.number().int(),
  /** The limit less the copies whose payments are in blocks, final or not. An unpaid order holds none. */
  copies_left: z.number().int(),
  /** The rates of the plan in force. They are ceilings, shown next to the paid amounts. */
  referral_ppm: ppm,
  organisation_ppm: ppm,
  static_per_day_ppm: ppm,
  pairing_ppm: ppm,
  pairing_day_cap: amount,
})
export const productsData = z.object({ items: z.array(product) })

/** Order statuses of the specification, section 4; fund orders have their own. */
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
  /** The id in the events of the bank contract, with which a member can find the payment on chain. */
  chain_order_id: z.string(),
  product_id: id,
  product_name: z.string(),
  level: z.number().int(),
  price: amount,
  amc_price: amount,
  status: orderStatus,
  use_hash_rate: z.boolean(),
  /** The amounts due or paid. */
  quote: orderQuote,
  /** The quote without the discount; equal to `quote` if no hash power is used. */
  full_quote: orderQuote,
  payer: address,
  /** The bank contract that the order is paid to. */
  bank: address,
  created_at: time,
  expires_at: time,
  tx_hash: hash.nullable(),
  confirmations: z.number().int(),
  confirmations_needed: z.number().int(),
  /** The median time of the last days from a payment's block to its booking; null without measurements. */
  usual_seconds: z.number().int().nullable(),
  paid_at: time.nullable(),
  collected_at: time.nullable(),
  cancelled_at: time.nullable(),
  cancel_reason: z.enum(['member', 'expired']).nullable(),
  /** A payment that did not pay the order, which stays in `suspense` until an operator releases it. */
  unmatched_tx_hash: hash.nullable(),
  payment_method: z.literal('USDT+AMC'),
  service_fee: amount,
  total: amount,
})

export const createOrderBody = z.object({
  product_id: id,
  useHashRate: z.boolean().default(false),
  /** The amounts that the member saw. An order with other amounts is refused with QUOTE_CHANGED. */
  expected: orderQuote.pick({ usdt: true, amc: true, rif: true }).optional(),
})

export const orderPreviewQuery = z.object({ product_id: id, useHashRate: flag.optional() })
/** The cost of an order that is placed now. Nothing is stored, taken or locked for it. */
export const orderPreviewData = z.object({
  product_id: id,
  product_name: z.string(),
  level: z.number().int(),
  copies_limit: z.number().int(),
  copies_left: z.number().int(),
  price: amount,
  amc_price: amount,
  quote: orderQuote,
  /** The time for which an order keeps its price, in milliseconds. */
  valid_ms: z.number().int(),
  payer: address,
  /** The bank contract that receives the payment. */
  bank: address,
  /** The largest static rewards per day. */
  static_per_day_ppm: ppm,
  /** The member's newest paid package of this kind, and the static rewards paid on it. */
  newest_own: z.object({ bought_at: time, static_paid: amount }).nullable(),
})
export const orderParams = z.object({ order_id: id })
export const orderListQuery = page.extend({ status: orderStatus.optional() })
export const orderListData = pageOf(order)
export const useHashRateQuery = z.object({ useHashRate: flag.optional() })

/**
 * Unsigned raw transactions in the serialisation of EIP-1559, which the browser decodes and checks before the wallet gets them.
 * `tx` is the last or only one, null when the allowance suffices; `before` contains the transactions required before it
 * (resetting a USDT allowance that is neither zero nor sufficient).
 */
export const approvalData = z.object({ tx: hex.nullable(), before: z.array(hex) })
export const paymentData = z.object({ tx: hex, deadline: time })

export const payBody = z.object({ order_id: id, tx_hash: hash })
export const cancelOrderBody = z.object({ order_id: id })

export type Product = z.infer<typeof product>
export type Order = z.infer<typeof order>
export type OrderStatus = z.infer<typeof orderStatus>
export type OrderPreview = z.infer<typeof orderPreviewData>
export type OrderQuote = z.infer<typeof orderQuote>
