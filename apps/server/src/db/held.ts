import { CompiledQuery, type Kysely } from 'kysely'
import type { Write } from './rows.ts'
import type { DB } from './types.gen.ts'

/** The values of a statement whose result is not needed, and the translation of its error. */
export class Held {
  readonly values: readonly unknown[]
  readonly refusal: (error: unknown) => unknown

  constructor(values: readonly unknown[], refusal: (error: unknown) => unknown) {
    this.values = values
    this.refusal = refusal
  }
}

/**
 * Executes a statement whose result is not needed. In a transaction it is sent with the next statement, or
 * with the commit, which throws its error as translated by `refusal`; otherwise it is sent at once. A lock is
 * thus sent with the read under it, and the last write with the commit. A lock is certain only when the next
 * statement has returned: read the clock after that.
 */
export async function executeWithNext(
  db: Kysely<DB>,
  statement: Write,
  refusal: (error: unknown) => unknown = (error) => error,
): Promise<void> {
  const { sql, parameters } = statement.compile(db)
  await db.executeQuery(CompiledQuery.raw(sql, [new Held(parameters, refusal)]))
}
