import { CompiledQuery, type RawBuilder, sql } from 'kysely'
import { readAtMember, readInShard } from './at-member.ts'
import type { Db } from './database.ts'
import { coordinatorOf, isAtHome, isOfCluster, readAtHome } from './machines.ts'
import { namesView, type Place, placeOf } from './places.ts'
import { seatOf } from './sharing.ts'
import { together, type Writes } from './together.ts'

/**
 * A read of one value per member, for many members at once and together with other reads in one statement.
 * The module that owns a table exports its reads; a caller that needs several combines them with
 * `readMembers`.
 */
export interface Read<T> {
  /**
   * Returns a query of (member_id, value) with at most one row per member, or one row whose member is null
   * for a value that is the same for all. Its tables are either all distributed or none. Missing where
   * there is nothing to read.
   */
  readonly rows: Rows | undefined
  /** A second query for tables in another location. */
  readonly others?: Rows | undefined
  /** Parses a member's value from its text and that of the second query; undefined stands for no row. */
  parse(value: string | undefined, other?: string): T
}

type Rows = (memberIds: RawBuilder<bigint[]>) => RawBuilder<unknown>
type Reads = Readonly<Record<string, Read<unknown>>>
type Answers<R extends Reads> = { [Name in keyof R]: R[Name] extends Read<infer T> ? T : never }

/** Creates a read whose values are JSON. 64-bit integers in them must be text, to stay exact. */
export function read<Json, T>(rows: Rows, parse: (value: Json | undefined) => T): Read<T> {
  return { rows, parse: (value) => parse(value === undefined ? undefined : JSON.parse(value)) }
}

/** Creates the read of a value that is known already. */
export const constantRead = <T>(value: T): Read<T> => ({ rows: undefined, parse: () => value })

/** Creates a read from two others, whose tables are in different locations. */
export function readBoth<One, Other, T>(
  one: Read<One>,
  other: Read<Other>,
  combine: (one: One, other: Other) => T,
): Read<T> {
  return {
    rows: one.rows,
    others: other.rows,
    parse: (value, second) => combine(one.parse(value), other.parse(second)),
  }
}

/** Creates a read whose values are produced by `records`, which costs the database half as much as JSON. */
export function readRecords<Fields extends readonly string[], T>(
  rows: Rows,
  parse: (records: readonly Fields[]) => T,
): Read<T> {
  const fieldsOf = (line: string) => line.split(' ') as readonly string[] as Fields
  return { rows, parse: (value) => parse(value === undefined ? [] : value.split('\n').map(fieldsOf)) }
}

/** Aggregates rows into one value. No field may contain a space; null fields are left out. */
export function records(...fields: readonly string[]): RawBuilder<string> {
  return sql<string>`string_agg(${record(...fields)}, E'\n')`
}

/** Returns one row in the format of `records`. */
export function record(...fields: readonly string[]): RawBuilder<string> {
  return sql<string>`concat_ws(' ', ${sql.raw(fields.join(', '))})`
}

/**
 * The separators of members' values, and of a member and its value. Neither JSON nor `records` contains them.
 */
const NEXT = '\u001e'
const OF = '\u001f'
/** The key of a value that is the same for all members. */
const EVERYBODY = ''

/** The place of a query that there is not. */
const NOWHERE = -1

/** The result of several reads for several members. */
export interface Found<R extends Reads> {
  /** Parses the values of a member. Errors of one member's values do not affect the others. */
  answers(memberId: bigint): Answers<R>
  /** Returns the unparsed value of each read. Equal texts parse to equal values. */
  rawValues(memberId: bigint): readonly (string | undefined)[]
}

/**
 * Executes all reads for all members in one round trip and one snapshot (several on a distributed database, in
 * parallel outside transactions). `writes` are executed by the same statement; the reads see their returned rows,
 * by name, but not their changes.
 */
export async function readMembers<R extends Reads>(
  db: Db,
  memberIds: readonly bigint[],
  reads: R,
  writes: Writes = [],
): Promise<Found<R>> {
  /** The places of the queries of each read, of which it has two at most. */
  const places = new Map<string, readonly [number, number]>()
  // One row per read instead of one per member, because splitting a text costs a fraction of decoding rows.
  const queriesOf = (some: readonly bigint[]) => {
    const ids = sql<bigint[]>`${some}::bigint[]`
    const queries: Query[] = []
    const add = (rows: Rows | undefined) =>
      rows ? queries.push({ query: rows(ids), part: queries.length, rows }) - 1 : NOWHERE
    for (const [name, { rows, others }] of Object.entries(reads)) places.set(name, [add(rows), add(others)])
    return queries
  }
  const rows = await readParts(db, memberIds, queriesOf, writes)
  const values = Array.from(
    { length: 1 + Math.max(...[...places.values()].flat()) },
    () => new Map<string, string>(),
  )
  for (const { part, text } of rows) {
    for (const entry of text?.split(NEXT) ?? []) {
      const end = entry.indexOf(OF)
      values[part]!.set(entry.slice(0, end), entry.slice(end + 1))
    }
  }
  const rawValues = (memberId: bigint) => {
    const key = String(memberId)
    return values.map((ofMember) => ofMember.get(key) ?? ofMember.get(EVERYBODY))
  }
  return {
    rawValues,
    answers(memberId) {
      const answers: Record<string, unknown> = {}
      const raw = rawValues(memberId)
      for (const [name, [first, second]] of places)
        answers[name] = reads[name]!.parse(raw[first], raw[second])
      return answers as Answers<R>
    },
  }
}

/**
 * Executes a query without effects; in a shared transaction it is combined with equal queries of other
 * operations.
 */
export async function readRows<Row>(db: Db, query: RawBuilder<Row>): Promise<Row[]> {
  const seat = seatOf(db)
  if (!seat) return (await query.execute(db)).rows
  const { sql: text, parameters } = query.compile(db)
  return (await seat.ask({ how: 'read', text, values: parameters })).rows
}

/** The query of a part, and the function that made it. */
interface Query {
  readonly query: RawBuilder<unknown>
  readonly part: number
  readonly rows: Rows
}
type Part = { readonly part: number; readonly text: string | null }

/**
 * Executes queries in one statement. A distributed database would fetch each part separately if the tables
 * are on several machines, so there it is one statement for the coordinator's tables, one for the members'
 * (executed on the machine of the rows if it is about one member), and one for each query that reads both.
 */
async function readParts(
  db: Db,
  memberIds: readonly bigint[],
  queriesOf: (memberIds: readonly bigint[]) => readonly Query[],
  writes: Writes,
): Promise<readonly Part[]> {
  const parts = queriesOf(memberIds)
  const isReadOnly = Object.keys(writes).length === 0
  if (isReadOnly && parts.length === 0) return []
  const united = (some: readonly Query[]) => sql<Part>`${sql.join(some.map(textQuery), sql` union all `)}`
  const execute = async (some: readonly Query[], written: Writes = []) =>
    (await together(written, united(some)).execute(db)).rows
  if (!isReadOnly) return execute(parts, writes)
  if (!isOfCluster(db)) return readRows(db, united(parts))
  const at = (place: Place, some = parts) => some.filter((one) => tablesOf(db, one).place === place)
  const throughCoordinator = async (ids: readonly bigint[], some: readonly Query[], isOfView: boolean) => {
    if (ids.length !== 1 || ids[0] === NOBODY) return execute(some)
    const alone = some.length === 1 ? await readByKey(db, ids, some[0]!) : undefined
    return alone ?? (isOfView ? execute(some) : readAtMember(db, ids[0]!, united(some)))
  }
  const ofMembers = (some: readonly Query[]) => {
    const isOfView = some.some((one) => tablesOf(db, one).isOfView)
    if (isOfView || memberIds.includes(NOBODY)) return throughCoordinator(memberIds, some, isOfView)
    const about = (ids: readonly bigint[]) => (ids === memberIds ? some : at('members', queriesOf(ids)))
    return readAtHome(db, memberIds, {
      there: (machine, shard, ids) => readInShard(machine, shard, united(about(ids))),
      otherwise: (ids) => throughCoordinator(ids, about(ids), false),
    })
  }
  const atHome = isAtHome(db)
  const [inShards, onCoordinator] = [at('members'), at('coordinator')]
  const ofShards = inShards.length > 0 ? [() => (atHome ? execute(inShards) : ofMembers(inShards))] : []
  const ofCoordinator =
    onCoordinator.length > 0
      ? [async () => (await united(onCoordinator).execute(coordinatorOf(db))).rows]
      : []
  const queries = [
    // In a local transaction the member's lock is sent with the first statement there, and the decision's reads
    // follow under it.
    ...(atHome ? [...ofShards, ...ofCoordinator] : [...ofCoordinator, ...ofShards]),
    ...at('both').map((one) => () => execute([one])),
  ]
  if (!db.isTransaction) return (await Promise.all(queries.map((query) => query()))).flat()
  const rows: Part[] = []
  for (const query of queries) rows.push(...(await query()))
  return rows
}

interface Tables {
  readonly place: Place
  readonly isOfView: boolean
}
const knownTables = new WeakMap<Rows, Tables>()

/** Returns where the tables of a query are. Compiles it only for a function that is new: most live as long as the process. */
function tablesOf(db: Db, { query, rows }: Query): Tables {
  const known = knownTables.get(rows)
  if (known) return known
  const { sql: text } = query.compile(db)
  const tables = { place: placeOf(text), isOfView: namesView(text) }
  knownTables.set(rows, tables)
  return tables
}

/** The values of all members as one text. Built once, because each operation reads several parts. */
const VALUES = sql`string_agg(
  coalesce(member_id::text, ${sql.lit(EVERYBODY)}) || ${sql.lit(OF)} || value::text, ${sql.lit(NEXT)})`

/** Returns the query of a part and of its values as one text. */
const textQuery = ({ query, part }: Query) =>
  sql`select ${sql.lit(part)}::integer as part, ${VALUES} as text from (${query}) as answers`

/** The usual condition of a query over several members. */
const AMONG = /= any \(\$(\d+)::bigint\[\]\)/g

/**
 * Executes the query of one part for one member with `=` instead of `any`: Citus plans a query of one table
 * and one key once, and then only looks up the machine. Returns undefined if the query has another form.
 */
async function readByKey(
  db: Db,
  memberIds: readonly bigint[],
  { query, part }: Query,
): Promise<Part[] | undefined> {
  const { sql: text, parameters } = query.compile(db)
  const conditions = text.match(AMONG)?.length ?? 0
  if (conditions === 0 || conditions !== parameters.filter((value) => value === memberIds).length)
    return undefined
  const values = parameters.map((value) => (value === memberIds ? memberIds[0] : value))
  const { rows } = await db.executeQuery<{ value: unknown }>(
    CompiledQuery.raw(text.replace(AMONG, '= $$$1::bigint'), values),
  )
  const texts = rows.map(({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return texts.map((value) => ({ part, text: `${memberIds[0]}${OF}${value}` }))
}

/** Stands for a member in reads that are the same for all. */
const NOBODY = 0n

/** Executes several reads for one member in one round trip and one snapshot. */
export async function readTogether<R extends Reads>(
  db: Db,
  memberId: bigint,
  reads: R,
  writes: Writes = [],
): Promise<Answers<R>> {
  return (await readMembers(db, [memberId], reads, writes)).answers(memberId)
}

/** Does the same as `readTogether`, for reads that are the same for all members. */
export const readShared = <R extends Reads>(db: Db, reads: R, writes: Writes = []): Promise<Answers<R>> =>
  readTogether(db, NOBODY, reads, writes)

/** Returns the read of the next number of a table's identity column; each execution takes one. */
export function nextIdRead(table: string, column: string): Read<bigint> {
  const sequence = sql.lit(`${table}_${column}_seq`)
  return {
    rows: () => sql`select null::bigint as member_id, nextval(${sequence}) as value`,
    parse: (value) => BigInt(value!),
  }
}

/** Executes one read for one member. */
export async function readMember<T>(db: Db, memberId: bigint, question: Read<T>): Promise<T> {
  const { answers } = await readMembers(db, [memberId], { question })
  return answers(memberId).question
}
