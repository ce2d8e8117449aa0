import { z } from 'zod'
import { signed } from './leaving.ts'
import { amount, cursor, time } from './primitives.ts'

const MOST_ROWS = 100
const CURSOR_LENGTH = 600

export const personDataQuery = z.object({
  cursor: cursor(CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(MOST_ROWS),
})

/**
 * A stored row of personal data. Every value is text, as the database formats it, so that no digit is lost.
 */
export const personRow = z.object({
  table: z.string(),
  row: z.record(z.string(), z.string().nullable()),
})
export const personDataData = z.object({ items: z.array(personRow), next: z.string().nullable() })

export type PersonRow = z.infer<typeof personRow>

/** Unfinished matters. They do not prevent an erasure: money and units remain the member's. */
export const openMatter = z.enum(['order', 'withdrawal', 'transfer', 'fund', 'standing'])

/** A member's request to erase all personal data that the books do not need. */
export const erasureData = z.object({
  state: z.enum(['none', 'waiting', 'done']),
  requested_at: time.nullable(),
  /** The time until which the request can be cancelled. */
  due_at: time.nullable(),
  done_at: time.nullable(),
  /** Operators are reviewing the account; the erasure waits until they have finished. */
  on_hold: z.boolean(),
  /** The days between a request and the erasure. */
  wait_days: z.number().int(),
  balances: z.array(z.object({ asset: z.string(), amount })),
  open: z.array(z.object({ what: openMatter, count: z.number().int().positive() })),
})
export const erasureBody = z.object({ signed: signed.optional() })

/** The reason why some data remains after an erasure. */
export const keptBecause = z.enum(['books', 'team', 'chain', 'evidence', 'others', 'expires'])

export type OpenMatter = z.infer<typeof openMatter>
export type KeptBecause = z.infer<typeof keptBecause>
