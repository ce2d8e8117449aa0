import { z } from 'zod'
import { auditReason } from './leaving.ts'
import { address, amount, day, hash, id, moneyAsset, page, pageOf, searched, time } from './primitives.ts'
import { withdrawalStatus } from './withdrawals.ts'

/** The risks of a withdrawal or transfer under audit, including the reasons for its audit. */
export const riskReason = z.enum([
  ...auditReason.options,
  'sudden_amount',
  'fresh_account',
  'look_alike',
  'frozen',
])
export type RiskReason = z.infer<typeof riskReason>

/** A withdrawal or transfer with the facts that a reviewer needs. */
export const auditedDeparture = z.object({
  is: z.enum(['withdrawal', 'transfer']),
  /** The number of the withdrawal or transfer. */
  id,
  member_id: id,
  member_address: address,
  asset: moneyAsset,
  amount,
  fee: amount,
  worth_usdt: amount,
  /** The USDT worth that left within the 24 hours before the request, including this request. */
  recent_usdt: amount,
  to: address,
  /** The known address with which `to` could be confused. */
  looks_like: address.nullable(),
  reasons: z.array(riskReason),
  level: z.number().int(),
  joined_at: time,
  created_at: time,
  status: withdrawalStatus,
  /** The time of the payout, rejection or cancellation; null for one that is open. */
  ended_at: time.nullable(),
  /** The time until which the present voucher can be claimed. */
  expires_at: time.nullable(),
  tx_hash: hash.nullable(),
  /** The wallet that decided, and its reason. */
  reviewed_by: z.string().nullable(),
  review_reason: z.string().nullable(),
  /** The number of earlier payments of the member of this sort, and the largest one in USDT worth. */
  paid_count: z.number().int(),
  paid_most_usdt: amount,
  /** The open proposal for it. */
  proposal_id: id.nullable(),
  /** True when it can be decided together with others. */
  bulk: z.boolean(),
})
export type AuditedDeparture = z.infer<typeof auditedDeparture>

/**
 * `open` is `held` and `ready` together; `proposed` are the held ones that an approver decides on; `ended` is `done`, `rejected`
 * and `cancelled` together.
 */
export const departureState = z.enum([
  ...(['open', 'held', 'proposed', 'ready'] as const),
  ...(['ended', 'done', 'rejected', 'cancelled'] as const),
])
export type DepartureState = z.infer<typeof departureState>

export const auditQueueQuery = page.extend({
  state: departureState.default('held'),
  is: auditedDeparture.shape.is.optional(),
  asset: moneyAsset.optional(),
  risk: riskReason.optional(),
  /** The smallest USDT worth. */
  least: amount.optional(),
  /** UTC days of the request, both included. */
  from: day.optional(),
  to: day.optional(),
  /** A number such as `12`, `W-12` or `#12`, or the start of the member's or the receiver's address. */
  q: searched(100).optional(),
  /** The first UTC day of the end. */
  ended_from: day.optional(),
  /** `ended`: only requests that have ended, the latest first. */
  order: z.enum(['oldest', 'newest', 'largest', 'ended']).default('oldest'),
})
export type AuditQueueQuery = z.infer<typeof auditQueueQuery>
export const auditQueueData = pageOf(auditedDeparture).extend({
  waiting: z.number().int(),
  /** The approved withdrawals that their members have not claimed yet. */
  ready: z.object({ count: z.number().int(), worth_usdt: amount }),
  bulk_up_to_usdt: amount,
})
