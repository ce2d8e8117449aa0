import { createQueryId, PostgresQueryCompiler, type RawBuilder, type RawNode, sql } from 'kysely'
import { textOf } from './literals.ts'
import type { RowWrite } from './rows.ts'
import { together } from './together.ts'

/** A call of a function with one row of values, and their types. */
export interface FunctionCall {
  readonly name: string
  /** The function that does the same for many rows, given an array for each value; undefined without one. */
  readonly nameForMany?: string | undefined
  readonly types: readonly string[]
  readonly values: readonly unknown[]
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A lock of rows by their ids, which are the only value of its statement. */
interface IdLock {
  readonly text: string
  readonly ids: readonly unknown[]
}

/** A lock of the heads of members. */
interface HeadLock extends IdLock {
  /** True if the statement takes other locks before these. */
  readonly hasOthers: boolean
}

/** Writes of rows and a call of a posting function, combined in one statement. */
interface Write {
  readonly writes: readonly RowWrite[]
  readonly call: FunctionCall | undefined
  /** Returns the statement for this operation alone. */
  alone(): Statement
}

/** A statement of one of several operations, with the data to combine it with theirs. */
export type Joint =
  | (Statement & { readonly how: 'alone' })
  /** A query without effects except taking sequence numbers: it is executed for each set of values. */
  | (Statement & { readonly how: 'read' })
  /** A lock of the heads of members: one statement locks all of them, in order. */
  | (HeadLock & { readonly how: 'lock' })
  /** A lock of other rows, after the heads: equal statements become one, which takes the rows in order. */
  | (IdLock & { readonly how: 'rows' })
  | (Write & { readonly how: 'write' })

/** Returns whether a statement may have made changes that must be rolled back. */
export const hasEffect = ({ how }: Joint): boolean => how === 'alone' || how === 'write'

/** The rows that a statement returned. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: the caller of a statement knows its rows
  readonly rows: any[]
}

/** A statement of an operation, and the receiver of its answer if the operation waits for one. */
interface Sending {
  readonly joint: Joint
  readonly onAnswer?: ((answer: Answer) => void) | undefined
}

/** A statement to send, and the receiver of its answer. */
interface Outgoing extends Statement {
  readonly onAnswer?: ((answer: Answer) => void) | undefined
}

/** Returns the statements to send for several operations, with equal ones combined. */
export function joined(all: readonly Sending[]): Outgoing[] {
  const groups = new Map<string, Sending[]>()
  all.forEach((sending, index) => {
    const { joint } = sending
    const key = joint.how === 'alone' ? `${index}` : keyOf(joint)
    const group = groups.get(key)
    if (group) group.push(sending)
    else groups.set(key, [sending])
  })
  return [...groups.values()].flatMap(joinedGroup)
}

function keyOf(joint: Exclude<Joint, { how: 'alone' }>): string {
  if (joint.how === 'lock') return joint.how
  if (joint.how === 'read' || joint.how === 'rows') return joint.text
  return [...joint.writes.map(({ shape }) => shape), joint.call?.nameForMany ?? joint.call?.name].join('; ')
}

function joinedGroup(group: readonly Sending[]): Outgoing[] {
  const joints = group.map(({ joint }) => joint)
  const [first] = joints as [Joint]
  if (first.how === 'lock') return lockAll(joints as HeadLock[])
  if (first.how === 'rows') return [lockEach(joints as IdLock[])]
  if (group.length === 1 || first.how === 'alone') return group.map(outgoingOf)
  return first.how === 'write' ? [writeAll(joints as Write[])] : readEach(first.text, group)
}

function outgoingOf({ joint, onAnswer }: Sending): Outgoing {
  const { text, values } = joint.how === 'write' ? joint.alone() : (joint as Statement)
  return { text, values, onAnswer }
}

const lockEach = (locks: readonly IdLock[]): Outgoing => ({
  text: locks[0]!.text,
  values: [locks.flatMap(({ ids }) => ids)],
})

/**
 * Takes the locks that precede the heads, in the order of the statements' texts, and all heads with the last
 * statement.
 */
function lockAll(locks: readonly HeadLock[]): Outgoing[] {
  const others = locks.filter(({ hasOthers }) => hasOthers)
  const texts = [...new Set((others.length > 0 ? others : locks).map(({ text }) => text))].sort()
  return texts.map((text) => ({
    text,
    values: [text === texts.at(-1) ? locks.flatMap(({ ids }) => ids) : []],
  }))
}

function writeAll(all: readonly Write[]): Outgoing {
  const [{ writes, call }] = all as [Write]
  const parts = writes.map((write, place) => write.together(all.flatMap((one) => one.writes[place]!.rows)))
  const main = call ? callAll(all.map((one) => one.call!)) : parts.pop()!
  const { sql: text, parameters } = compiler.compileQuery(
    together(parts, main).toOperationNode() as RawNode,
    createQueryId(),
  )
  return { text, values: parameters }
}

/** Returns the query that calls a function once for each row of values, or the one for many rows with all of them. */
function callAll(calls: readonly FunctionCall[]): RawBuilder<unknown> {
  const [{ name, nameForMany, types }] = calls as [FunctionCall]
  const arrays = types.map((type, place) => {
    const values = textsOf(calls.map((call) => call.values[place]))
    return sql`${values}::${sql.raw(nameForMany === undefined ? 'text' : type)}[]`
  })
  if (nameForMany !== undefined) return sql`select ${sql.raw(nameForMany)}(${sql.join(arrays)})`
  const names = types.map((_, place) => sql.ref(`v${place}`))
  const values = types.map((type, place) => sql`${names[place]}::${sql.raw(type)}`)
  return sql`select ${sql.raw(name)}(${sql.join(values)}) from unnest(${sql.join(arrays)}) as each (${sql.join(names)})`
}

const compiler = new PostgresQueryCompiler()

/** The parameter types of each query that was executed for several operations. */
const typesOfQueries = new Map<string, readonly string[]>()

/**
 * Executes a query once for each set of values, by one statement as soon as the types of its parameters are
 * known.
 */
function readEach(query: string, group: readonly Sending[]): Outgoing[] {
  const types = typesOfQueries.get(query)
  if (!types) return [...group.map(outgoingOf), typesOf(query)]
  const names = types.map((_, place) => `v${place + 1}`)
  const lists = types.map((_, place) => `$${place + 1}::text[]`)
  const text = query.replace(/\$(\d+)/g, (_, place) => `(v${place}::${types[place - 1]})`)
  return [
    {
      text: `select place, answers.* from unnest(${lists}) with ordinality as each (${names}, place), lateral (${text}) as answers`,
      values: types.map((_, place) => textsOf(group.map(({ joint }) => (joint as Statement).values[place]))),
      onAnswer({ rows }) {
        const answers: Answer[] = group.map(() => ({ rows: [] }))
        for (const { place, ...row } of rows) answers[Number(place) - 1]!.rows.push(row)
        group.forEach(({ onAnswer }, index) => {
          onAnswer?.(answers[index]!)
        })
      },
    },
  ]
}

/** Finds the parameter types of a query that the connection has prepared. */
const typesOf = (query: string): Outgoing => ({
  text: 'select parameter_types::text[] as types from pg_prepared_statements where statement = $1 limit 1',
  values: [query],
  onAnswer({ rows }) {
    if (rows[0]) typesOfQueries.set(query, rows[0].types)
  },
})

/** Returns values as texts, which PostgreSQL parses like parameters. */
const textsOf = (values: readonly unknown[]): (string | null)[] =>
  values.map((value) => (value === null || value === undefined ? null : required(textOf(value))))

function required(text: string | undefined): string {
  if (text === undefined) throw new Error('a value of a joined statement has no text')
  return text
}
