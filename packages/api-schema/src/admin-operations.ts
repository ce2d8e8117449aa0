import { z } from 'zod'
import { pauseArea } from './admin-proposals.ts'
import { address, amount, hash, id, time } from './primitives.ts'

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
/** What reorganisations have taken from the books, and what is still to be done about it. */
export const reorganisationData = z.object({
  /** `halted`: below L1 finality, for `rif recover`. `undoing`: booked events wait to be undone. */
  state: z.enum(['none', 'undoing', 'halted']),
  /** The recovery that `rif recover` found and nobody has approved. */
  recovery: z
    .object({ recovery_id: id, found_at: time, events: z.number().int(), postings: z.number().int() })
    .nullable(),
  /** Undone events, newest first. */
  undone: z.array(
    z.object({ name: z.string(), tx_hash: hash, outcome: z.enum(['undone', 'covered', 'moved']), at: time }),
  ),
  /** What members owe back. */
  debts: z.array(z.object({ member_id: id, asset: z.string(), amount })),
  /** What the operator still has to make good. */
  shortfall: z.object({ USDT: amount, AMC: amount }),
})
/** The paused areas, for all callers. */
export const pausesData = z.object({ paused: z.array(pauseArea) })
