import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * A question about a member that can be asked for many members at once, and together with others in one statement. The
 * module that owns a table hands out such questions about it; whoever needs several answers asks with `readMembers`.
 */
export interface Read<T> {
  /**
   * A query of the columns `member_id` and `value`, at most one row for each of the members. Its tables are all
   * distributed, or none is.
   */
  rows(memberIds: RawBuilder<bigint[]>): RawBuilder<unknown>
  /** The answer for a member, out of the value as text; undefined where there is no row. */
  parse(value: string | undefined): T
}

type Reads = Readonly<Record<string, Read<unknown>>>
type Answers<R extends Reads> = { [Name in keyof R]: R[Name] extends Read<infer T> ? T : never }

/** A question whose values are JSON; every 64-bit integer in them is written as text, to stay exact. */
export function read<Json, T>(rows: Read<T>['rows'], parse: (value: Json | undefined) => T): Read<T> {
  return { rows, parse: (value) => parse(value === undefined ? undefined : JSON.parse(value)) }
}

/** A question whose values are made by `records`, for what is asked often: half the work of JSON in the database. */
export function readRecords<Fields extends readonly string[], T>(
  rows: Read<T>['rows'],
  parse: (records: readonly Fields[]) => T,
): Read<T> {
  const fieldsOf = (line: string) => line.split(' ') as readonly string[] as Fields
  return { rows, parse: (value) => parse(value === undefined ? [] : value.split('\n').map(fieldsOf)) }
}

/** An aggregate of rows into one value: words and numbers of a row, none of them with a space; nulls are left out. */
export function records(...fields: readonly string[]): RawBuilder<string> {
  return sql<string>`string_agg(concat_ws(' ', ${sql.raw(fields.join(', '))}), E'\n')`
}

/**
 * Asks all about all members in one round trip and one snapshot. Returns the answers by member; an answer is made, and
 * may be refused, when it is asked for, so that one member's refusal is not the others'.
 */
export async function readMembers<R extends Reads>(
  db: Db,
  memberIds: readonly bigint[],
  reads: R,
): Promise<(memberId: bigint) => Answers<R>> {
  const names = Object.keys(reads)
  const ids = sql<bigint[]>`${memberIds}::bigint[]`
  const parts = names.map((name, index) => {
    const part = sql.lit(index)
    return sql`select ${part}::integer as part, member_id::text, value::text from (${reads[name]!.rows(ids)}) as answers`
  })
  const { rows } = await sql<{ part: number; member_id: string; value: string }>`
    ${sql.join(parts, sql` union all `)}`.execute(db)
  const values = names.map(() => new Map<string, string>())
  for (const row of rows) values[row.part]!.set(row.member_id, row.value)
  return (memberId) => {
    const key = String(memberId)
    const answers: Record<string, unknown> = {}
    names.forEach((name, part) => {
      answers[name] = reads[name]!.parse(values[part]!.get(key))
    })
    return answers as Answers<R>
  }
}

/** Asks one thing about one member. */
export async function readMember<T>(db: Db, memberId: bigint, question: Read<T>): Promise<T> {
  const answers = await readMembers(db, [memberId], { question })
  return answers(memberId).question
}
