import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * A read of one value per member, for many members at once and together with other reads in one statement.
 * The module that owns a table exports its reads; a caller that needs several combines them with
 * `readMembers`.
 */
export interface Read<T> {
  /**
   * Returns a query of (member_id, value) with at most one row per member, or one row whose member is null
   * for a value that is the same for all. The value becomes JSON; 64-bit integers must be text, to stay
   * exact. Missing where there is nothing to read.
   */
  readonly rows: Rows | undefined
  /** Returns the value from its JSON; undefined stands for no row, and for null. */
  // biome-ignore lint/suspicious/noExplicitAny: `read` types the JSON of each read
  parse(json: any): T
}

type Rows = (memberIds: RawBuilder<bigint[]>) => RawBuilder<unknown>
type Reads = Readonly<Record<string, Read<unknown>>>
type Answers<R extends Reads> = { [Name in keyof R]: R[Name] extends Read<infer T> ? T : never }

/** Creates a read. */
export const read = <Json, T>(rows: Rows, parse: (json: Json | undefined) => T): Read<T> => ({ rows, parse })

/** Creates the read of a value that needs no query. */
export const constantRead = <T>(value: T): Read<T> => ({ rows: undefined, parse: () => value })

/** A column of a read's rows: its SQL, whose value is JSON, and the value that it stands for. */
export interface Column<T> {
  readonly sql: string
  // biome-ignore lint/suspicious/noExplicitAny: each kind of column has its own JSON
  parse(json: any): T
}

/** Creates a column of a JSON value that needs no conversion: a text, a small number, a truth value. */
export const plain = <T = string>(expression: string): Column<T> => ({
  sql: expression,
  parse: (json) => json,
})

/** Creates a column of 64 bits, which JSON carries as text to stay exact. */
export const bigint = (expression: string): Column<bigint> => ({
  sql: `(${expression})::text`,
  parse: BigInt,
})

/** Creates a column of a time, in milliseconds. */
export const time = (expression: string): Column<Date> => ({
  sql: `round(1000 * extract(epoch from ${expression}))`,
  parse: (ms) => new Date(ms),
})

/** Creates the same column for a value that may be null. */
export const nullable = <T>({ sql: expression, parse }: Column<T>): Column<T | null> => ({
  sql: expression,
  parse: (json) => (json === null ? null : parse(json)),
})

type Columns = Readonly<Record<string, Column<unknown>>>

/** A row with a value for each column. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: C[Name] extends Column<infer T> ? T : never
}

/** Returns the JSON of a row, for `readRow`. */
export function rowJson(columns: Columns): RawBuilder<unknown> {
  const pairs = Object.entries(columns).map(([name, column]) => sql`${sql.lit(name)}, ${sql.raw(column.sql)}`)
  return sql`json_build_object(${sql.join(pairs)})`
}

/** Returns the aggregate of all rows as JSON, for `readRows`. */
export const rowsJson = (columns: Columns): RawBuilder<unknown> => sql`json_agg(${rowJson(columns)})`

/** Creates a read of one row, made by `rowJson`. */
export const readRow = <C extends Columns, T>(
  columns: C,
  rows: Rows,
  use: (row: RowOf<C> | undefined) => T,
): Read<T> => ({ rows, parse: (json) => use(json && parsedRow(columns, json)) })

/** Creates a read of any number of rows, made by `rowsJson`. */
export const readRows = <C extends Columns, T>(
  columns: C,
  rows: Rows,
  use: (rows: readonly RowOf<C>[]) => T,
): Read<T> => ({
  rows,
  parse: (json) => use((json ?? []).map((row: Readonly<Record<string, unknown>>) => parsedRow(columns, row))),
})

const parsedRow = <C extends Columns>(columns: C, json: Readonly<Record<string, unknown>>): RowOf<C> =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.parse(json[name])]),
  ) as RowOf<C>

/** The key of a value that is the same for all members, and a member for reads about nobody. */
const EVERYBODY = 0n

/** The result of several reads for several members. */
export interface Found<R extends Reads> {
  /** Parses the values of a member. Errors of one member's values do not affect the others. */
  answers(memberId: bigint): Answers<R>
}

/** Executes all reads for all members in one statement, and so on one snapshot. */
export async function readMembers<R extends Reads>(
  db: Db,
  memberIds: readonly bigint[],
  reads: R,
): Promise<Found<R>> {
  const ids = sql<bigint[]>`${memberIds}::bigint[]`
  const parts = Object.entries(reads).flatMap(([name, { rows }]) =>
    rows === undefined
      ? []
      : [
          sql<Part>`
            select ${sql.lit(name)} as name, json_object_agg(coalesce(member_id, ${sql.lit(EVERYBODY)}), value) as json
            from (${rows(ids)}) as part`,
        ],
  )
  const results =
    parts.length === 0 ? [] : (await sql<Part>`${sql.join(parts, sql` union all `)}`.execute(db)).rows
  const values = new Map(results.map(({ name, json }) => [name, json ?? {}]))
  const jsonOf = (name: string, memberId: bigint) => {
    const ofMembers = values.get(name)
    return ofMembers?.[`${memberId}`] ?? ofMembers?.[`${EVERYBODY}`] ?? undefined
  }
  return {
    answers: (memberId) =>
      Object.fromEntries(
        Object.entries(reads).map(([name, { parse }]) => [name, parse(jsonOf(name, memberId))]),
      ) as Answers<R>,
  }
}

/** The values of a read by member; null without any. */
interface Part {
  readonly name: string
  readonly json: Readonly<Record<string, unknown>> | null
}

/** Executes several reads for one member in one statement. */
export async function readTogether<R extends Reads>(db: Db, memberId: bigint, reads: R): Promise<Answers<R>> {
  return (await readMembers(db, [memberId], reads)).answers(memberId)
}

/** Does the same as `readTogether`, for reads that are the same for all members. */
export const readShared = <R extends Reads>(db: Db, reads: R): Promise<Answers<R>> =>
  readTogether(db, EVERYBODY, reads)

/** Returns the read of the next number of a table's identity column; each execution takes one. */
export const nextIdRead = (table: string, column: string): Read<bigint> =>
  read(
    () => sql`
      select null::bigint as member_id, nextval(${sql.lit(`${table}_${column}_seq`)})::text as value`,
    (value: string | undefined) => BigInt(value!),
  )

/** Executes one read for one member. */
export async function readMember<T>(db: Db, memberId: bigint, question: Read<T>): Promise<T> {
  return (await readTogether(db, memberId, { question })).question
}
