import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Write } from './rows.ts'

/** Writes of one statement, named if others read their returned rows. */
export type Writes = readonly Write[] | Readonly<Record<string, Write>>

/**
 * Returns one statement that executes writes of several tables and then `main`, whose rows it returns. None
 * of them sees the writes of the others except through returned rows.
 */
export function together<Row>(writes: Writes, main: Expression<Row>): RawBuilder<Row> {
  const isNumbered = Array.isArray(writes)
  const parts = Object.entries(writes).map(
    ([name, write]) => sql`${sql.ref(isNumbered ? `w${name}` : name)} as (${write as Write})`,
  )
  return parts.length === 0 ? sql<Row>`${main}` : sql<Row>`with ${sql.join(parts)} ${main}`
}
