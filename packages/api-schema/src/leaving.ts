import { z } from 'zod'
import { address, amount, hash, shownText, time, walletAddress } from './primitives.ts'

/** The reasons for holding a withdrawal or a transfer for review. */
export const auditReason = z.enum(['large_amount', 'new_address', 'risk_flag'])
export type AuditReason = z.infer<typeof auditReason>

/**
 * The EIP-712 signature of the member's wallet for the effect of the request. `nonce` and `deadline` (seconds
 * since the epoch) are those of the refusal SIGNATURE_REQUIRED, or the client's own: 32 random bytes, and at
 * most ten minutes ahead.
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
export const contactLabel = shownText(40)

export const contact = z.object({
  address,
  label: z.string().nullable(),
  /** True for the wallet of a member. */
  registered: z.boolean(),
  last_sent_at: time.nullable(),
  /** The time from which a saved address can be used while the switch is on; null for an unsaved one. */
  usable_from: time.nullable(),
})

/** The switch "saved addresses only". */
export const savedOnly = z.object({
  on: z.boolean(),
  /** The time from which it is off; null unless it was switched off. */
  off_from: time.nullable(),
})

export const contactsData = z.object({
  /** By name. */
  saved: z.array(contact),
  /** The last receivers, newest first, named or not. */
  recent: z.array(contact),
  saved_only: savedOnly,
  /** The waiting time of a new address and of switching off. */
  delay_hours: z.number(),
  /** The smallest transfer. */
  minimum: amount,
})
export const contactBody = z.object({
  address: walletAddress,
  label: contactLabel,
  signed: signed.optional(),
})
export const removeContactBody = z.object({ address, signed: signed.optional() })
export const savedOnlyBody = z.object({ on: z.boolean(), signed: signed.optional() })

export type Contact = z.infer<typeof contact>
export type SavedOnly = z.infer<typeof savedOnly>
