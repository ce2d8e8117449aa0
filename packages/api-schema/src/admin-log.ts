import { z } from 'zod'
import { day, id, page, pageOf, searched, time } from './primitives.ts'

/** An entry of the append-only log of admin actions. `hash` covers the entry and the hash of the previous one. */
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
  q: searched(100).optional(),
  actor: searched(60).optional(),
  /** A prefix of the action, such as `withdrawal.`. */
  action: searched(60).optional(),
  from: day.optional(),
  to: day.optional(),
})
export const adminLogData = pageOf(adminAction)

/** The part of the chain to check; without a cursor, from its start. */
export const adminLogCheckQuery = page.pick({ cursor: true })

/** The result of a check of the chain up to `checked`, with the first broken entry if there is one. */
export const adminLogCheck = z.object({
  entries: z.number().int(),
  head: z.string().nullable(),
  checked: z.number().int(),
  broken: z.object({ seq: z.string().nullable(), problem: z.string() }).nullable(),
  /** The cursor of the next part; null at the end and at a broken entry. */
  next: z.string().nullable(),
})
export type AdminLogCheck = z.infer<typeof adminLogCheck>
