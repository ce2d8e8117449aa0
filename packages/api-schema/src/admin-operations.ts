import { z } from 'zod'
import { pauseArea } from './admin-proposals.ts'
import { address, id, time } from './primitives.ts'

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
