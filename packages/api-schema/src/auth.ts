import { z } from 'zod'
import {
  address,
  hex,
  id,
  placementSide,
  signedMessage,
  time,
  typedText,
  walletAddress,
} from './primitives.ts'

export const nonceQuery = z.object({ address: walletAddress })
export const nonceData = z.object({
  nonce: z.string(),
  expires_at: time,
  /** The values of the sign-in message (EIP-4361). The browser builds the message from its own location and compares them. */
  domain: z.string(),
  uri: z.string(),
  chain_id: z.number().int(),
  statement: z.string(),
  /**
   * The statement of a message without resources, with which a member declines the terms and signs in only to
   * withdraw money.
   */
  leave_statement: z.string(),
  /** The text of terms and risks in force, with its hash: the only resource of the message. */
  terms_uri: z.string(),
  /** The version that this wallet accepted: the one in force, else the last; null for none. */
  terms_accepted: z.string().nullable(),
  /** False when the wallet belongs to no member or admin, so that `POST auth` requires an invitation code. */
  registered: z.boolean(),
})

export const authBody = z.object({
  message: signedMessage(4096),
  signature: hex.max(8192),
  invite_code: typedText(32).min(1).optional(),
  side: placementSide.optional(),
  /** A random value that the browser keeps. Without it, or with a new one, the member receives a notice. */
  device_key: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
})
export const authData = z.object({
  token: z.string(),
  expires_at: time,
  /** Null for an admin who is not a member. */
  member_id: id.nullable(),
  address,
  new_member: z.boolean(),
})

export const signOutData = z.object({})

/**
 * An active session, the most recently used first. `device` is the browser and the operating system according
 * to the request, or null.
 */
export const session = z.object({
  session_id: id,
  device: z.string().nullable(),
  created_at: time,
  /** Accurate to a few minutes. */
  last_used_at: time,
  expires_at: time,
  /** True for the session of the caller. */
  current: z.boolean(),
})
export const sessionsData = z.object({ items: z.array(session) })

/** One session of the caller, or all except the current one. */
export const endSessionsBody = z.union([
  z.strictObject({ session_id: id }),
  z.strictObject({ others: z.literal(true) }),
])
export const endSessionsData = z.object({ ended: z.number().int() })

/** A version of the terms and risks that the caller accepted, with the signed message as evidence. */
export const acceptedTerms = z.object({
  version: z.string(),
  /** The hash of the published English text. */
  sha256: z.string(),
  accepted_at: time,
  message: z.string(),
  signature: hex,
})
export const termsData = z.object({
  /** The version in force. */
  version: z.string(),
  sha256: z.string(),
  /** True in a session that declined the version, and that can only withdraw money. */
  leaves_only: z.boolean(),
  /** The versions that the caller accepted: the one in force first, then the last. */
  items: z.array(acceptedTerms),
})
export const acceptTermsBody = authBody.pick({ message: true, signature: true })

export type MemberSession = z.infer<typeof session>
