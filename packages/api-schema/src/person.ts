import { z } from 'zod'

const MOST_ROWS = 100
const CURSOR_LENGTH = 600

export const personDataQuery = z.object({
  cursor: z.string().max(CURSOR_LENGTH).optional(),
  limit: z.coerce.number().int().min(1).max(MOST_ROWS).default(MOST_ROWS),
})

/** A stored row about a person. Every value is text, as the database writes it, so that no digit is lost. */
export const personRow = z.object({
  table: z.string(),
  row: z.record(z.string(), z.string().nullable()),
})
export const personDataData = z.object({ items: z.array(personRow), next: z.string().nullable() })

export type PersonRow = z.infer<typeof personRow>
