import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * A question about a member that can be asked for many members at once, and together with others in one statement. The
 * module that owns a table hands out such questions about it; whoever needs several answers asks with `readMembers`.
 */
export interface Read<T> {
  /**
   * A query of the columns `member_id` and `value`, at most one row for each of the members; or one whose member is null,
   * for an answer that is the same for all. Its tables are all distributed, or none is.
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
  return sql<string>`string_agg(${record(...fields)}, E'\n')`
}

/** One row as `records` has it. */
export function record(...fields: readonly string[]): RawBuilder<string> {
  return sql<string>`concat_ws(' ', ${sql.raw(fields.join(', '))})`
}

/** Stand between the answers about two members, and between a member and its answer; JSON and `records` have none. */
const NEXT = '\u001e'
const OF = '\u001f'
/** Whose answer it is when the member is null. */
const EVERYBODY = ''

/** What a statement said about members: the answer to each question, and the words that it is made of. */
export interface Found<R extends Reads> {
  /** Made, and maybe refused, when asked for, so that one member's refusal is not the others'. */
  answers(memberId: bigint): Answers<R>
  /** By question. Equal words have equal answers. */
  words(memberId: bigint): readonly (string | undefined)[]
}

/** Asks all about all members in one round trip and one snapshot. */
export async function readMembers<R extends Reads>(
  db: Db,
  memberIds: readonly bigint[],
  reads: R,
): Promise<Found<R>> {
  const names = Object.keys(reads)
  const ids = sql<bigint[]>`${memberIds}::bigint[]`
  // A row for each question, not for each member: to cut a text is a fraction of the work of reading rows.
  const parts = names.map(
    (name, index) => sql`
      select ${sql.lit(index)}::integer as part,
        string_agg(coalesce(member_id::text, ${sql.lit(EVERYBODY)}) || ${sql.lit(OF)} || value::text, ${sql.lit(NEXT)}) as text
      from (${reads[name]!.rows(ids)}) as answers`,
  )
  const { rows } = await sql<{ part: number; text: string | null }>`
    ${sql.join(parts, sql` union all `)}`.execute(db)
  const values = names.map(() => new Map<string, string>())
  for (const { part, text } of rows) {
    for (const entry of text?.split(NEXT) ?? []) {
      const end = entry.indexOf(OF)
      values[part]!.set(entry.slice(0, end), entry.slice(end + 1))
    }
  }
  const words = (memberId: bigint) => {
    const key = String(memberId)
    return values.map((ofMember) => ofMember.get(key) ?? ofMember.get(EVERYBODY))
  }
  return {
    words,
    answers(memberId) {
      const answers: Record<string, unknown> = {}
      words(memberId).forEach((word, part) => {
        const name = names[part]!
        answers[name] = reads[name]!.parse(word)
      })
      return answers as Answers<R>
    },
  }
}

/** Asks one thing about one member. */
export async function readMember<T>(db: Db, memberId: bigint, question: Read<T>): Promise<T> {
  const { answers } = await readMembers(db, [memberId], { question })
  return answers(memberId).question
}
