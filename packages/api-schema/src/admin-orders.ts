import { z } from 'zod'
import { address, amount, hash, id, searched, time } from './primitives.ts'

/** The oldest items of a queue, at most 100, and its length. */
const queueOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), waiting: z.number().int() })

/** An order that is overdue for payment, confirmation or cancellation. */
export const stuckOrder = z.object({
  type: z.enum(['package', 'fund']),
  order_id: id,
  member_id: id,
  member_address: address,
  name: z.string(),
  status: z.enum(['UnPaid', 'Processing']),
  tx_hash: hash.nullable(),
  /** The time when it was reported or expired. */
  since: time,
})

/** A redemption that waits for a decision, or whose payment is overdue. */
export const waitingRedemption = z.object({
  redemption_id: id,
  member_id: id,
  member_address: address,
  product_name: z.string(),
  units: z.string(),
  /** The purchase price of the units in USD. */
  cost: amount,
  status: z.enum(['Pending', 'Approved']),
  submitted_at: time,
  due_at: time.nullable(),
  /** The open proposal for it. */
  proposal_id: id.nullable(),
})

/** A payment in `suspense`, which matched no open order. */
export const suspendedPayment = z.object({
  /** The member of the order with its id, or 0 when no order has this id. */
  member_id: z.string(),
  tx_hash: hash,
  log_index: z.number().int(),
  payer: address,
  /** The member with the wallet of the payer, or null. */
  payer_member_id: id.nullable(),
  /** The member of the order; null when there is none, or when it is the payer. */
  order_member_id: id.nullable(),
  reason: z.enum([
    'unknown_order',
    'closed_order',
    'wrong_payer',
    'wrong_amount',
    'set_aside',
    'price_changed',
    'sale_stopped',
  ] as const),
  usdt: amount,
  amc: amount,
  paid_at: time,
  proposal_id: id.nullable(),
})

/** A final event of the chain that cannot be applied. Later events wait until it is applied or set aside. */
export const stuckEvent = z.object({
  /** The name of the event in its contract. */
  name: z.string(),
  tx_hash: hash,
  block_hash: hash,
  log_index: z.number().int(),
  block_number: z.string(),
  block_at: time,
  /** The first failure, and the last error in one line. */
  failed_at: time,
  failure: z.string(),
  /** The number of later events that wait. */
  waiting: z.number().int(),
  /** Only an event that is final on L1 can be set aside. */
  final_on_l1: z.boolean(),
  proposal_id: id.nullable(),
})

/** Narrows the queues. */
export const orderAuditQuery = z.object({
  /** The number of a member, an order or a redemption, the start of a member's or a payer's address, or a transaction's hash. */
  q: searched(100).optional(),
  reason: suspendedPayment.shape.reason.optional(),
  redemption: waitingRedemption.shape.status.optional(),
  type: stuckOrder.shape.type.optional(),
})
export type OrderAuditQuery = z.infer<typeof orderAuditQuery>
export const orderAuditData = z.object({
  stuck_event: stuckEvent.nullable(),
  orders: queueOf(stuckOrder),
  redemptions: queueOf(waitingRedemption),
  payments: queueOf(suspendedPayment),
})

export type OrderAudit = z.infer<typeof orderAuditData>
export type StuckEventItem = z.infer<typeof stuckEvent>
export type StuckOrder = z.infer<typeof stuckOrder>
export type SuspendedPaymentItem = z.infer<typeof suspendedPayment>
export type WaitingRedemption = z.infer<typeof waitingRedemption>
