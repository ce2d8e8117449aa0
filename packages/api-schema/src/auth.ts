import { z } from 'zod'
import { address, hex, id, placementSide, time } from './primitives.ts'

export const nonceQuery = z.object({ address })
export const nonceData = z.object({
  nonce: z.string(),
  expires_at: time,
  /** What the sign-in message must say (EIP-4361); the browser builds it from its own location and compares. */
  domain: z.string(),
  uri: z.string(),
  chain_id: z.number().int(),
  statement: z.string(),
  /** False: this wallet is neither a member's nor an admin's yet, so `POST auth` needs an invitation code. */
  registered: z.boolean(),
})

export const authBody = z.object({
  message: z.string().max(4096),
  signature: hex.max(8192),
  invite_code: z.string().trim().min(1).max(32).optional(),
  side: placementSide.optional(),
})
export const authData = z.object({
  token: z.string(),
  expires_at: time,
  /** Null for the wallet of an admin who is no member. */
  member_id: id.nullable(),
  address,
  new_member: z.boolean(),
})

export const signOutData = z.object({})

/** A sign-in that is not over; the newest use first. `device`: browser and system as they named themselves, or null. */
export const session = z.object({
  session_id: id,
  device: z.string().nullable(),
  created_at: time,
  /** To within some minutes. */
  last_used_at: time,
  expires_at: time,
  /** The one that asks. */
  current: z.boolean(),
})
export const sessionsData = z.object({ items: z.array(session) })

/** One of the own sessions, or all but the one that asks. */
export const endSessionsBody = z.union([
  z.strictObject({ session_id: id }),
  z.strictObject({ others: z.literal(true) }),
])
export const endSessionsData = z.object({ ended: z.number().int() })

export type MemberSession = z.infer<typeof session>
