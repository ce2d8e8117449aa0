import { z } from 'zod'
import { address, amount, hash, id, moneyAsset, page, pageOf, time } from './primitives.ts'

/** The reasons for holding a withdrawal or a transfer for review. */
export const auditReason = z.enum(['large_amount', 'new_address', 'risk_flag'])
export type AuditReason = z.infer<typeof auditReason>

/**
 * The signature of the member's wallet (EIP-712) over what the request does. `nonce` and `deadline` (seconds since the epoch)
 * are those of the refusal SIGNATURE_REQUIRED, or the client's own: 32 random bytes, and at most ten minutes ahead.
 */
export const signed = z.object({
  nonce: hash,
  deadline: z.number().int().positive(),
  signature: z
    .string()
    .regex(/^0x([0-9a-fA-F]{2})+$/)
    .max(8192),
})
export type Signed = z.infer<typeof signed>

/** A name that a member gives an address. */
export const contactLabel = z
  .string()
  .trim()
  .min(1)
  .max(40)
  // A label is shown next to amounts: invisible characters and those that change the text direction could mislead.
  .refine((text) => !/[\p{C}\p{Zl}\p{Zp}]/u.test(text), 'has characters that cannot be shown')

export const contact = z.object({
  address,
  label: z.string().nullable(),
  last_sent_at: time.nullable(),
  /** The time from which a saved address can be used while only saved ones can; null for one that is not saved. */
  usable_from: time.nullable(),
})

/** The switch "saved addresses only". */
export const savedOnly = z.object({
  on: z.boolean(),
  /** The time from which it is off; null while no one has switched it off. */
  off_from: time.nullable(),
})

export const contactsData = z.object({
  /** By name. */
  saved: z.array(contact),
  /** The last receivers, newest first, named or not. */
  recent: z.array(contact),
  saved_only: savedOnly,
  /** The time that a new address, and switching off, takes. */
  delay_hours: z.number(),
  /** The smallest transfer. */
  minimum: amount,
})
export const contactBody = z.object({ address, label: contactLabel, signed: signed.optional() })
export const removeContactBody = z.object({ address, signed: signed.optional() })
export const savedOnlyBody = z.object({ on: z.boolean(), signed: signed.optional() })

export type Contact = z.infer<typeof contact>
export type SavedOnly = z.infer<typeof savedOnly>

/** The risks of a withdrawal or transfer under audit, including the reasons for its audit. */
export const riskReason = z.enum([
  ...auditReason.options,
  'sudden_amount',
  'fresh_account',
  'look_alike',
  'frozen',
])
export type RiskReason = z.infer<typeof riskReason>

/** A withdrawal or transfer under audit. */
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
  /** The USDT worth that left within 24 hours up to the request, with it. */
  recent_usdt: amount,
  to: address,
  /** The known address that `to` could be mistaken for. */
  looks_like: address.nullable(),
  reasons: z.array(riskReason),
  level: z.number().int(),
  joined_at: time,
  created_at: time,
  /** The number of earlier payments of the member of this sort, and the largest one in USDT worth. */
  paid_count: z.number().int(),
  paid_most_usdt: amount,
  /** The open proposal for it. */
  proposal_id: id.nullable(),
  /** True when it can be decided together with others. */
  bulk: z.boolean(),
})
export type AuditedDeparture = z.infer<typeof auditedDeparture>
export const auditQueueQuery = page
export const auditQueueData = pageOf(auditedDeparture).extend({
  waiting: z.number().int(),
  bulk_up_to_usdt: amount,
})
