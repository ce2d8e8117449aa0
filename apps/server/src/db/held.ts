import { CompiledQuery, type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from './types.gen.ts'

/** The values of a statement whose result nobody reads, and the error that its own one becomes. */
export class Held {
  readonly values: readonly unknown[]
  readonly refusal: (error: Error) => Error

  constructor(values: readonly unknown[], refusal: (error: Error) => Error) {
    this.values = values
    this.refusal = refusal
  }
}

/** Returns what was passed to `executeWithNext`; undefined for any other statement. */
export function heldOf([first]: readonly unknown[]): Held | undefined {
  return first instanceof Held ? first : undefined
}

/**
 * Executes a statement whose result nobody reads. In the transaction of a call it is sent together with the next statement or
 * the commit, which then throws its error, changed by `refusal`; elsewhere at once. So a lock goes with the statement that
 * reads under it, and the last write with the commit. The clock must not be read in between: no lock is held before the next
 * statement has returned.
 */
export async function executeWithNext(
  dbTx: Kysely<DB>,
  statement: RawBuilder<unknown>,
  refusal: (error: Error) => Error = (error) => error,
): Promise<void> {
  const { sql, parameters } = statement.compile(dbTx)
  await dbTx.executeQuery(CompiledQuery.raw(sql, [new Held(parameters, refusal)]))
}

/** Writes of one statement, with names where others read what they return. */
export type Writes = readonly RawBuilder<unknown>[] | Readonly<Record<string, RawBuilder<unknown>>>

/**
 * Returns one statement that executes writes of several tables and then `main`, whose rows it returns. None of them sees what
 * the others write, but for what those return.
 */
export function together<Row>(writes: Writes, main: RawBuilder<Row>): RawBuilder<Row> {
  const parts = Object.entries(writes).map(([name, write]) => {
    const isNumbered = Array.isArray(writes)
    return sql`${sql.ref(isNumbered ? `w${name}` : name)} as (${write as RawBuilder<unknown>})`
  })
  return parts.length === 0 ? main : sql<Row>`with ${sql.join(parts)} ${main}`
}
