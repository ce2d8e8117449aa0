import { z } from 'zod'
import { pauseArea } from './admin-proposals.ts'
import { address, amount, id, moneyAsset, page, pageOf, time } from './primitives.ts'

const reason = z.string().trim().min(3).max(400)
export const memberParams = z.object({ member_id: id })
export const reasonBody = z.object({ reason })
/** The holds on a member: `frozen`, and `flagged` for the review of every withdrawal. */
export const memberHold = z.object({
  member_id: id,
  frozen: z.boolean(),
  freeze_reason: z.string().nullable(),
  flagged: z.boolean(),
})

/** The risks of a withdrawal, including the reasons for its audit. */
export const riskReason = z.enum([
  'large_amount',
  'new_address',
  'risk_flag',
  'sudden_amount',
  'fresh_account',
  'look_alike',
  'frozen',
])
export type RiskReason = z.infer<typeof riskReason>
export const auditedWithdrawal = z.object({
  withdraw_id: id,
  member_id: id,
  member_address: address,
  asset: moneyAsset,
  amount,
  fee: amount,
  worth_usdt: amount,
  to: address,
  /** The known address that `to` could be mistaken for. */
  looks_like: address.nullable(),
  reasons: z.array(riskReason),
  level: z.number().int(),
  joined_at: time,
  created_at: time,
  /** The number of earlier payouts of the member, and the largest one in USDT worth. */
  paid_count: z.number().int(),
  paid_most_usdt: amount,
  /** The open proposal for it. */
  proposal_id: id.nullable(),
  /** True when it can be decided together with others. */
  bulk: z.boolean(),
})
export type AuditedWithdrawal = z.infer<typeof auditedWithdrawal>
export const auditQueueQuery = page
export const auditQueueData = pageOf(auditedWithdrawal).extend({
  waiting: z.number().int(),
  bulk_up_to_usdt: amount,
})

/** The state of an area; null when it is not paused. */
export const pauseEntry = z.object({
  area: pauseArea,
  paused: z.object({ since: time, by: z.string(), reason: z.string() }).nullable(),
})
export const emergencyData = z.object({
  items: z.array(pauseEntry),
  /** The state of the bank contract; null when the chain is unavailable. */
  chain: z
    .object({
      orders_paused: z.boolean(),
      /** The signer of the claims, and its role in the bank contract. */
      claim_signer: address,
      claim_signer_appointed: z.boolean(),
      /** The roles of the caller's wallet in the bank contract. A pauser stops orders, the default admin resumes them. */
      you: z.object({ pauser: z.boolean(), admin: z.boolean() }),
    })
    .nullable(),
})
/** The paused areas, for all callers. */
export const pausesData = z.object({ paused: z.array(pauseArea) })
