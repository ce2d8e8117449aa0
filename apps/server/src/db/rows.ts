import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DB } from './types.gen.ts'

type Db = Kysely<DB>

type Table = keyof DB & string

/**
 * Returns rows of a table, given by their columns, as a part of a FROM clause: one parameter, however many they are. All have the
 * same columns.
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

/** A row to insert, by its columns. Plain objects are JSON. */
type Row = Readonly<Record<string, unknown>>

/** An insertion of rows which all have the same columns. */
export interface Insert {
  readonly table: Table
  readonly rows: readonly Row[]
  /** The text after the rows, without values: `on conflict ...`. */
  readonly onConflict: string
}

const inserts = new WeakMap<RawBuilder<unknown>, Insert>()

/** Returns the write of rows which all have the same columns; several operations' can become one. */
export function insertOf(table: Table, rows: readonly Row[], onConflict = ''): RawBuilder<unknown> {
  const columns = Object.keys(rows[0]!)
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => parameterOf(row[column])))})`)
  const write = sql`
    insert into ${sql.table(table)} (${columnsOf(rows)}) overriding system value
    values ${sql.join(values)} ${sql.raw(onConflict)}`
  inserts.set(write, { table, rows, onConflict })
  return write
}

/** Returns what `insertOf` made a write of; undefined for another one. */
export const insertIn = (write: RawBuilder<unknown>): Insert | undefined => inserts.get(write)

/** Returns what insertions have in common that can become one. */
export const shapeOf = ({ table, rows, onConflict }: Insert): string =>
  `${table} ${rows.length} (${Object.keys(rows[0]!)}) ${onConflict}`

/** Returns one insertion for all of a shape, whose text does not depend on their number. */
export function insertTogether(all: readonly Insert[]): RawBuilder<unknown> {
  const [{ table, onConflict }] = all as [Insert]
  const rows = all.flatMap((one) => one.rows)
  const columns = columnsOf(rows)
  return sql`
    insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from ${rowsOf(table, rows)} ${sql.raw(onConflict)}`
}

const columnsOf = ([first]: readonly Row[]): RawBuilder<unknown> =>
  sql.join(Object.keys(first!).map((column) => sql.ref(column)))

function parameterOf(value: unknown): unknown {
  const isPlain =
    typeof value === 'object' &&
    value !== null &&
    !(Array.isArray(value) || value instanceof Date || Buffer.isBuffer(value))
  return isPlain ? JSON.stringify(value) : value
}

/** Returns rows as JSON that `json_populate_recordset` reads. */
function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows, function (this: Row, key, value) {
    // Bytes have a JSON form of their own, which comes here instead of them.
    const own = this[key]
    if (Buffer.isBuffer(own)) return `\\x${own.toString('hex')}`
    return typeof value === 'bigint' ? `${value}` : value
  })
}
