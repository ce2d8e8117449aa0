import {
  type CompiledQuery,
  type Expression,
  type Kysely,
  type OperationNode,
  type QueryExecutorProvider,
  type RawBuilder,
  sql,
} from 'kysely'
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

/** A row to insert, by its columns. Plain objects are JSON. */
type Row = Readonly<Record<string, unknown>>

/** A write: a `RowWrite`, or in any other form. */
export type Write = RowWrite | RawBuilder<unknown>

/**
 * A write of rows that is combined with writes of the same shape by other operations. Its statement is built
 * when needed.
 */
export class RowWrite implements Expression<unknown> {
  readonly shape: string
  readonly rows: readonly Row[]
  /** Returns one write for the rows of all, whose text does not depend on their number. */
  readonly together: (rows: readonly Row[]) => RawBuilder<unknown>
  readonly #alone: () => RawBuilder<unknown>

  constructor(
    shape: string,
    rows: readonly Row[],
    forms: { alone: () => RawBuilder<unknown>; together: (rows: readonly Row[]) => RawBuilder<unknown> },
  ) {
    this.shape = `${shape} ${rows.length} (${Object.keys(rows[0]!)})`
    this.rows = rows
    this.#alone = forms.alone
    this.together = forms.together
  }

  get expressionType(): undefined {
    return undefined
  }

  toOperationNode(): OperationNode {
    return this.#alone().toOperationNode()
  }

  compile(db: QueryExecutorProvider): CompiledQuery<unknown> {
    return this.#alone().compile(db)
  }

  execute(db: QueryExecutorProvider): Promise<unknown> {
    return this.#alone().execute(db)
  }
}

/**
 * Returns the write that inserts rows with the same columns. `onConflict` is its constant suffix: `on
 * conflict ...`.
 */
export function insertOf(table: Table, rows: readonly Row[], onConflict = ''): RowWrite {
  const columns = Object.keys(rows[0]!)
  const insertion = (source: RawBuilder<unknown>) => sql`
    insert into ${sql.table(table)} (${columnsOf(rows)}) overriding system value ${source} ${sql.raw(onConflict)}`
  const valuesOf = (row: Row) => sql`(${sql.join(columns.map((column) => parameterOf(row[column])))})`
  return new RowWrite(`insert ${table} ${onConflict}`, rows, {
    alone: () => insertion(sql`values ${sql.join(rows.map(valuesOf))}`),
    together: (all) => insertion(sql`select ${columnsOf(rows)} from ${rowsOf(table, all)}`),
  })
}

/** Returns the write that sets columns of the row with a key. */
export function updateOf(table: Table, key: Row, changes: Row): RowWrite {
  const set = (newOf: (column: string) => unknown) =>
    sql.join(Object.keys(changes).map((column) => sql`${sql.ref(column)} = ${newOf(column)}`))
  return new RowWrite(`update ${table} by ${Object.keys(key)}`, [{ ...key, ...changes }], {
    alone: () => sql`
      update ${sql.table(table)} set ${set((column) => parameterOf(changes[column]))} where ${matching(key)}`,
    // Without a limit the planner expects a hundred rows, and scans a table of some megabytes instead of
    // using its index.
    together: (all) => sql`
      update ${sql.table(table)} set ${set((column) => sql.ref(`given.${column}`))}
      from (select * from ${rowsOf(table, all)} limit ${all.length}) as given where ${sameKey(table, key)}`,
  })
}

/**
 * Returns the write that adds amounts to columns of the row with a key, inserting the row if it is missing.
 */
export function countOf(table: Table, key: Row, amounts: Row): RowWrite {
  const row = { ...key, ...amounts }
  const insertion = (source: RawBuilder<unknown>) => sql`
    insert into ${sql.table(table)} (${columnsOf([row])}) ${source} on conflict (${columnsOf([key])})
    do update set ${added(table, amounts, (column) => sql.ref(`excluded.${column}`))}`
  return new RowWrite(`count ${table} by ${Object.keys(key)}`, [row], {
    alone: () => insertion(sql`values (${sql.join(Object.values(row))})`),
    together: (all) => insertion(sumsOf(table, key, amounts, all)),
  })
}

const added = (table: Table, amounts: Row, by: (column: string) => RawBuilder<unknown>) =>
  sql.join(
    Object.keys(amounts).map((column) => {
      return sql`${sql.ref(column)} = ${sql.ref(`${table}.${column}`)} + ${by(column)}`
    }),
  )

/** Returns a query of the sums of amounts by key. */
function sumsOf(table: Table, key: Row, amounts: Row, all: readonly Row[]): RawBuilder<unknown> {
  const sums = Object.keys(amounts).map((column) => sql`sum(${sql.ref(column)}) as ${sql.ref(column)}`)
  return sql`select ${columnsOf([key])}, ${sql.join(sums)} from ${rowsOf(table, all)} group by ${columnsOf([key])}`
}

const matching = (key: Row) =>
  sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )

const sameKey = (table: Table, key: Row) =>
  sql.join(
    Object.keys(key).map((column) => sql`${sql.ref(`${table}.${column}`)} = ${sql.ref(`given.${column}`)}`),
    sql` and `,
  )

const columnsOf = ([first]: readonly Row[]): RawBuilder<unknown> =>
  sql.join(Object.keys(first!).map((column) => sql.ref(column)))

function parameterOf(value: unknown): unknown {
  const isPlain =
    typeof value === 'object' &&
    value !== null &&
    !(Array.isArray(value) || value instanceof Date || Buffer.isBuffer(value))
  return isPlain ? JSON.stringify(value) : value
}

/** Returns rows as JSON for `json_populate_recordset`. */
function jsonOf(rows: readonly Row[]): string {
  return JSON.stringify(rows, function (this: Row, key, value) {
    // Bytes have a JSON form of their own, which arrives here.
    const own = this[key]
    if (Buffer.isBuffer(own)) return `\\x${own.toString('hex')}`
    return typeof value === 'bigint' ? `${value}` : value
  })
}
