import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { DB } from './types.gen.ts'

type Table = keyof DB & string

/**
 * Returns rows of a table, given by their columns, as a part of a FROM clause: one parameter, however many they are. All have the
 * same columns.
 */
export function rowsOf(table: Table, rows: readonly object[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${textOf(rows)}::json)`
}

/** Inserts rows with one statement, whose text does not depend on their number. Does nothing without rows. */
export async function insertRows(dbTx: Db, table: Table, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)))
  await sql`
    insert into ${sql.table(table)} (${columns}) select ${columns} from ${rowsOf(table, rows)}`.execute(dbTx)
}

function textOf(rows: readonly object[]): string {
  return JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
}
