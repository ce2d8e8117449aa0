import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The member whose data is read or erased; the wallet in lower case. */
export interface Person {
  readonly memberId: bigint
  readonly address: string
}

/** A page of the rows of one table. */
export interface RowsQuery {
  readonly table: string
  readonly by: 'member_id' | 'address'
  /** The member's id or the wallet in lower case. */
  readonly value: bigint | string
  readonly without: readonly string[]
  /** The columns of the primary key, the sort order of the rows. */
  readonly key: readonly string[]
  /** The key of the last row read, as text; undefined for the first page. */
  readonly after: Readonly<Record<string, string>> | undefined
  readonly limit: number
}

/** A stored row and its key. All values are in PostgreSQL's text form. */
export interface StoredRow {
  readonly row: Record<string, string | null>
  readonly key: Record<string, string>
}

/** Returns the member of a wallet in lower case. */
export async function memberOfWallet(db: Db, address: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from members where address = ${address}`.execute(db)
  return rows[0]?.memberId
}

/** Returns the columns of the primary keys of tables, in their order. */
export async function primaryKeys(db: Db, tables: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ table: string; key: string[] }>`
    select relname as "table", array_agg(attname::text order by array_position(indkey::int2[], attnum)) as key
    from pg_index join pg_class on pg_class.oid = indrelid
    join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indisprimary and relnamespace = 'public'::regnamespace and relname = any(${tables})
    group by relname`.execute(db)
  return new Map(rows.map(({ table, key }) => [table, key]))
}

/** SQLSTATEs of values that do not fit their column (class 22). */
const BAD_VALUE = /^22/

/** Returns the next rows of a table about one member; null if the key does not fit the table. */
export async function exportedRowsOf(db: Db, query: RowsQuery): Promise<StoredRow[] | null> {
  const { key, after } = query
  if (after !== undefined && !key.every((column) => column in after)) return null
  try {
    return await readRows(db, query)
  } catch (error) {
    if (after !== undefined && BAD_VALUE.test((error as { code?: string }).code ?? '')) return null
    throw error
  }
}

async function readRows(db: Db, query: RowsQuery): Promise<StoredRow[]> {
  const { table, by, value, without, key, after, limit } = query
  const name = sql.table(table)
  const columns = (of: string) => sql.join(key.map((column) => sql.ref(`${of}.${column}`)))
  const { rows } = await sql<StoredRow>`
    select (select jsonb_object_agg(field.key, field.value)
        from jsonb_each_text(to_jsonb(stored) - ${[...without]}::text[]) as field) as row,
      (select jsonb_object_agg(field.key, field.value)
        from jsonb_each_text(to_jsonb(stored)) as field where field.key = any(${[...key]}::text[])) as key
    from ${name} as stored
    ${
      after === undefined
        ? sql``
        : sql`cross join jsonb_populate_record(null::${name}, ${JSON.stringify(after)}::jsonb) as last`
    }
    where stored.${sql.ref(by)} = ${value}
      ${after === undefined ? sql`` : sql`and (${columns('stored')}) > (${columns('last')})`}
    order by ${columns('stored')} limit ${limit}`.execute(db)
  return rows
}
