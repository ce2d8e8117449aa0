import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from './types.gen.ts'

type Db = Kysely<DB>

type Table = keyof DB & string

/**
 * Returns rows of a table, given by their columns, as part of a FROM clause: one parameter for any number of
 * rows. All have the same columns.
 */
export function rowsOf(table: Table, rows: readonly Row[]): RawBuilder<unknown> {
  return sql`json_populate_recordset(null::${sql.table(table)}, ${jsonOf(rows)}::json)`
}

/** Inserts rows with one statement, whose text does not depend on their number. Does nothing without rows. */
export async function insertRows(dbTx: Db, table: Table, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const columns = columnsOf(rows)
  await sql`
    insert into ${sql.table(table)} (${columns}) select ${columns} from ${rowsOf(table, rows)}`.execute(dbTx)
}

/** Inserts rows with the same columns under a number that `nextIdRead` has taken for their identity column. */
export async function insertNumbered(dbTx: Db, table: Table, ...rows: readonly Row[]): Promise<void> {
  const values = rows.map((row) => sql`(${sql.join(Object.values(row))})`)
  await sql`
    insert into ${sql.table(table)} (${columnsOf(rows)}) overriding system value
    values ${sql.join(values)}`.execute(dbTx)
}

/** A row to insert, by its columns. */
type Row = Readonly<Record<string, unknown>>

const columnsOf = ([first]: readonly Row[]): RawBuilder<unknown> =>
  sql.join(Object.keys(first!).map((column) => sql.ref(column)))

/** Returns rows as JSON for `json_populate_recordset`. */
function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows, function (this: Row, key, value) {
    // Bytes have a JSON form of their own, which arrives here.
    const own = this[key]
    if (Buffer.isBuffer(own)) return `\\x${own.toString('hex')}`
    return typeof value === 'bigint' ? `${value}` : value
  })
}
