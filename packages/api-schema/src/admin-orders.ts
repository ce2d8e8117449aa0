import { z } from 'zod'
import { address, amount, hash, id, time } from './primitives.ts'

/** The oldest of what waits, at most a hundred, and how many there are. */
const queueOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), waiting: z.number().int() })

/** An order that should have been paid, confirmed or cancelled by now. */
export const stuckOrder = z.object({
  type: z.enum(['package', 'fund']),
  order_id: id,
  member_id: id,
  member_address: address,
  name: z.string(),
  status: z.enum(['UnPaid', 'Processing']),
  tx_hash: hash.nullable(),
  /** Reported or expired then; it should not have taken much longer. */
  since: time,
})

/** A redemption that waits for a decision, or that was approved and is not paid though its time is over. */
export const waitingRedemption = z.object({
  redemption_id: id,
  member_id: id,
  member_address: address,
  product_name: z.string(),
  units: z.string(),
  /** What the units were bought for, in USD. */
  cost: amount,
  status: z.enum(['Pending', 'Approved']),
  submitted_at: time,
  due_at: time.nullable(),
  /** The open proposal about it. */
  proposal_id: id.nullable(),
})

/** A payment in `suspense`: it fitted no open order. */
export const suspendedPayment = z.object({
  /** Under whom it is booked: the member of the order that its id names, 0 where it names nobody's. */
  member_id: z.string(),
  tx_hash: hash,
  log_index: z.number().int(),
  payer: address,
  /** Who the payer is; null when no member has this wallet. */
  payer_member_id: id.nullable(),
  /** Who the order's member is; null when there is none, or when it is the payer. */
  order_member_id: id.nullable(),
  reason: z.enum(['unknown_order', 'closed_order', 'wrong_payer', 'wrong_amount']),
  usdt: amount,
  amc: amount,
  paid_at: time,
  proposal_id: id.nullable(),
})

export const orderAuditData = z.object({
  orders: queueOf(stuckOrder),
  redemptions: queueOf(waitingRedemption),
  payments: queueOf(suspendedPayment),
})

export type OrderAudit = z.infer<typeof orderAuditData>
export type StuckOrder = z.infer<typeof stuckOrder>
export type SuspendedPaymentItem = z.infer<typeof suspendedPayment>
export type WaitingRedemption = z.infer<typeof waitingRedemption>
