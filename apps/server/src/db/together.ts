import { type Kysely, type RawBuilder, sql } from 'kysely'
import { executeWithNext } from './held.ts'
import { spansMachines } from './machines.ts'
import type { DB } from './types.gen.ts'

/** Writes of one statement, with names where others read what they return. */
export type Writes = readonly RawBuilder<unknown>[] | Readonly<Record<string, RawBuilder<unknown>>>

/**
 * Returns one statement that executes writes of several tables and then `main`, whose rows it returns. None of them sees what
 * the others write, but for what those return.
 */
export function together<Row>(writes: Writes, main: RawBuilder<Row>): RawBuilder<Row> {
  const isNumbered = Array.isArray(writes)
  const parts = Object.entries(writes).map(
    ([name, write]) => sql`${sql.ref(isNumbered ? `w${name}` : name)} as (${write as RawBuilder<unknown>})`,
  )
  return parts.length === 0 ? main : sql<Row>`with ${sql.join(parts)} ${main}`
}

/**
 * Executes writes of several tables in one statement, which goes with the next one or the commit and throws there. A distributed database
 * refuses writes of different machines in one statement, so there it is one for each.
 */
export async function writeTogether(dbTx: Kysely<DB>, writes: readonly RawBuilder<unknown>[]): Promise<void> {
  if (spansMachines(dbTx)) {
    for (const write of writes) await executeWithNext(dbTx, write)
    return
  }
  const [main, ...others] = writes
  if (main !== undefined) await executeWithNext(dbTx, together(others, main))
}
