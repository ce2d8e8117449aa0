import { z } from 'zod'
import { pauseArea } from './admin-proposals.ts'
import { address, amount, id, moneyAsset, page, pageOf, time } from './primitives.ts'

const reason = z.string().trim().min(3).max(400)
export const memberParams = z.object({ member_id: id })
export const reasonBody = z.object({ reason })
/** Whether a member is frozen, and held for review. */
export const memberHold = z.object({
  member_id: id,
  frozen: z.boolean(),
  freeze_reason: z.string().nullable(),
  flagged: z.boolean(),
})

/** Why a withdrawal deserves a look, besides why it is under audit. */
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
  /** What this member was paid before: how often, and the most at once in USDT worth. */
  paid_count: z.number().int(),
  paid_most_usdt: amount,
  /** The open proposal about it. */
  proposal_id: id.nullable(),
  /** Small enough to be decided on together with others. */
  bulk: z.boolean(),
})
export type AuditedWithdrawal = z.infer<typeof auditedWithdrawal>
export const auditQueueQuery = page
export const auditQueueData = pageOf(auditedWithdrawal).extend({
  waiting: z.number().int(),
  bulk_up_to_usdt: amount,
})

/** What is stopped, since when and by whom; null where it runs. */
export const pauseEntry = z.object({
  area: pauseArea,
  paused: z.object({ since: time, by: z.string(), reason: z.string() }).nullable(),
})
export const emergencyData = z.object({
  items: z.array(pauseEntry),
  /** The bank contract's own switches as they are on chain; null when it is out of reach. */
  chain: z
    .object({
      orders_paused: z.boolean(),
      /** The key that signs this product's claims, and whether the bank takes them from it. */
      claim_signer: address,
      claim_signer_appointed: z.boolean(),
      /** What the bank lets the caller's wallet do: a pauser stops, its default admin lets go on. */
      you: z.object({ pauser: z.boolean(), admin: z.boolean() }),
    })
    .nullable(),
})
/** For everybody: what is stopped now. */
export const pausesData = z.object({ paused: z.array(pauseArea) })
