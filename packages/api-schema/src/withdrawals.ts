import { z } from 'zod'
import { auditReason, signed } from './leaving.ts'
import {
  address,
  amount,
  hash,
  hex,
  id,
  moneyAsset,
  page,
  pageOf,
  time,
  walletAddress,
} from './primitives.ts'

export const withdrawalStatus = z.enum(['Auditing', 'Withdrawable', 'Success', 'Rejected', 'Cancelled'])

const order = z.object({
  asset: moneyAsset,
  amount,
  /** Defaults to the member's own wallet. */
  address: walletAddress.optional(),
})
export const withdrawCheckBody = order
export const withdrawBody = order.extend({
  /** The signature covers the fee, which the request names. */
  signed: signed.extend({ fee: amount }).optional(),
})

/** The result of a withdrawal by the same rules, before anything is reserved. */
export const withdrawCheckData = z.object({
  asset: moneyAsset,
  amount,
  /** The part that is free of the fee, as a refund. */
  refund: amount,
  fee: amount,
  receives: amount,
  to: address,
  worth_usdt: amount,
  remaining_today: amount,
  remaining_after: amount,
  status: z.enum(['Auditing', 'Withdrawable']),
  reasons: z.array(auditReason),
  /** True when the request needs the signature of the member's wallet. */
  needs_signature: z.boolean(),
})

/** Withdrawals and transfers share the limit. */
export const withdrawLimitData = z.object({
  level: z.number().int(),
  /** USDT worth per UTC day. */
  limit: amount,
  used: amount,
  remaining: amount,
  /** The USDT worth that left within the last 24 hours. */
  recent: amount,
  /** The USDT worth that left or was converted within the last 24 hours without a signature. */
  unsigned: amount,
  resets_at: time,
  available: z.object({ USDT: amount, AMC: amount }),
  /** The amounts left of refunds, which cost no fee to withdraw to the own wallet. */
  free_refunds: z.object({ USDT: amount, AMC: amount }),
  minimum_fee_usdt: amount,
  fee_ppm: z.number().int(),
  audit_above_usdt: amount,
  sign_above_usdt: amount,
  prices: z.object({ AMC: amount.nullable() }),
  /** The median time from a request to its review, of those lately reviewed; null while none was. */
  usual_review_seconds: z.number().int().nullable(),
})

/** The finality on L1 that a claim waits for. */
export const claimWait = z.object({
  /** The block of the last event that was booked when the withdrawal was requested, or of a later hand-over of a bank. */
  block: z.string(),
  /** The last block that is final on L1; null while that is unknown. */
  l1_final_block: z.string().nullable(),
  /** The median time of the last days from a block to its finality on L1; null while nothing was measured. */
  usual_seconds: z.number().int().nullable(),
  expected_at: time.nullable(),
})

/** The signer's last refusal of the claim: it waits for a second approval, the member's signature, a limit, or an operator. */
const claimRefusal = z.object({
  reason: z.enum(['not_reviewed', 'not_signed', 'limit', 'checked']),
  at: time,
})

/** The bank does not accept the claim key; another one can be appointed from a time on, null while none is queued. */
const keyChange = z.object({ executable_at: time.nullable() })

export const withdrawal = z.object({
  withdraw_id: id,
  chain_withdrawal_id: z.string(),
  type: z.literal('wallet'),
  asset: moneyAsset,
  amount,
  /** The part that is free of the fee, as a refund. */
  refund: amount,
  fee: amount,
  receives: amount,
  worth_usdt: amount,
  address,
  status: withdrawalStatus,
  reasons: z.array(auditReason),
  created_at: time,
  reviewed_at: time.nullable(),
  reject_reason: z.string().nullable(),
  /** Null when a claim waits for nothing, or when there is none to make. */
  claim_wait: claimWait.nullable(),
  refusal: claimRefusal.nullable(),
  key_change: keyChange.nullable(),
  claim_expires_at: time.nullable(),
  tx_hash: hash.nullable(),
  confirmations: z.number().int(),
  confirmations_needed: z.number().int(),
  completed_at: time.nullable(),
})

export const withdrawParams = z.object({ withdraw_id: id })
export const claimParams = z.object({ id })
export const withdrawListQuery = page.extend({ status: withdrawalStatus.optional() })
export const withdrawListData = pageOf(withdrawal)
export const claimData = z.object({
  tx: hex,
  deadline: time,
  /** The bank contract that pays the claim. */
  bank: address,
})

export type ClaimRefusal = z.infer<typeof claimRefusal>
export type KeyChange = z.infer<typeof keyChange>
export type ClaimWait = z.infer<typeof claimWait>
export type Withdrawal = z.infer<typeof withdrawal>
export type WithdrawalStatus = z.infer<typeof withdrawalStatus>
