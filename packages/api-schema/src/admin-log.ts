import { z } from 'zod'
import { day, id, page, pageOf, time } from './primitives.ts'

/** An entry of the append-only log of what admins did; `hash` covers it and the hash before it. */
export const adminAction = z.object({
  seq: id,
  action_id: id,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  reason: z.string().nullable(),
  before: z.unknown(),
  after: z.unknown(),
  acted_at: time,
  hash: z.string(),
})
export type AdminActionEntry = z.infer<typeof adminAction>

export const adminLogQuery = page.extend({
  /** Part of a wallet, an action, a subject or a reason. */
  q: z.string().trim().max(100).optional(),
  actor: z.string().trim().max(60).optional(),
  /** What the action begins with, such as `withdrawal.`. */
  action: z.string().trim().max(60).optional(),
  from: day.optional(),
  to: day.optional(),
})
export const adminLogData = pageOf(adminAction)

/** A part of the chain to check, from its beginning on without a cursor. */
export const adminLogCheckQuery = page.pick({ cursor: true })

/** Whether the chain is whole up to `checked`; else the first entry at which it is not. */
export const adminLogCheck = z.object({
  entries: z.number().int(),
  head: z.string().nullable(),
  checked: z.number().int(),
  broken: z.object({ seq: z.string().nullable(), problem: z.string() }).nullable(),
  /** Where to go on; null at the end, or where the chain is broken. */
  next: z.string().nullable(),
})
export type AdminLogCheck = z.infer<typeof adminLogCheck>
