import { createQueryId, PostgresQueryCompiler, type RawNode, sql } from 'kysely'
import { Held } from './held.ts'
import { textOf } from './literals.ts'
import { type Insert, insertTogether, shapeOf } from './rows.ts'
import { together } from './together.ts'

/** A call of a function with one row of values, and their types. */
interface FunctionCall {
  readonly name: string
  readonly types: readonly string[]
  readonly values: readonly unknown[]
}

interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A lock of rows by their ids, the only value of its statement. */
interface IdLock {
  readonly text: string
  readonly ids: readonly bigint[]
  /** The statement takes other locks before these. */
  readonly hasOthers: boolean
}

/** Insertions and a call of a posting function, which are one statement. */
interface Write {
  readonly inserts: readonly Insert[]
  readonly call: FunctionCall
  /** Returns the statement that does it for this operation alone. */
  alone(): Statement
}

/** A statement of one of several operations, with what makes one of theirs. */
export type Joint =
  | (Statement & { readonly how: 'alone' })
  /** A query without an effect but taking numbers of sequences: it is executed for each set of values. */
  | (Statement & { readonly how: 'read' })
  /** A lock of the heads of members: all are locked by one statement, which takes them in their order. */
  | (IdLock & { readonly how: 'lock' })
  | (Write & { readonly how: 'write' })

/** Returns whether a statement may have changed something that has to be undone. */
export const hasEffect = ({ how }: Joint): boolean => how === 'alone' || how === 'write'

/** A statement of an operation, which may wait for the answer. */
type Sending = { readonly joint: Joint; readonly isAwaited: boolean }

/** The rows that a statement returned. */
export interface Answer {
  // biome-ignore lint/suspicious/noExplicitAny: the caller of a statement knows its rows
  readonly rows: any[]
}

/** Sends a statement in the transaction. */
export type Send = (text: string, values: readonly unknown[]) => Promise<Answer>

const NOTHING: Answer = { rows: [] }

/** Sends the statements of several operations, equal ones as one, and returns the answer of each. */
export async function sendJoined(all: readonly Sending[], send: Send): Promise<Answer[]> {
  const groups = new Map<string, number[]>()
  all.forEach(({ joint }, index) => {
    const key = joint.how === 'alone' ? `${index}` : keyOf(joint)
    const group = groups.get(key)
    if (group) group.push(index)
    else groups.set(key, [index])
  })
  const answers: Answer[] = []
  for (const indexes of groups.values()) {
    const group = indexes.map((index) => all[index]!)
    const found = await sendGroup(group, send)
    indexes.forEach((index, place) => {
      answers[index] = found[place]!
    })
  }
  return answers
}

function keyOf(joint: Exclude<Joint, { how: 'alone' }>): string {
  if (joint.how === 'lock') return joint.how
  if (joint.how === 'read') return joint.text
  return [...joint.inserts.map(shapeOf), joint.call.name].join('; ')
}

async function sendGroup(group: readonly Sending[], send: Send): Promise<readonly Answer[]> {
  const joints = group.map(({ joint }) => joint)
  const [first] = joints as [Joint]
  if (first.how === 'lock') return lockAll(joints as IdLock[], send)
  if (first.how === 'write' && joints.length > 1) return writeAll(joints as Write[], send)
  const answers = first.how === 'read' && joints.length > 1 && (await readEach(joints as Statement[], send))
  return answers || sendEach(group, send)
}

async function sendEach(group: readonly Sending[], send: Send): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const { joint, isAwaited } of group) {
    const { text, values } = joint.how === 'write' ? joint.alone() : (joint as Statement)
    answers.push(await send(text, isAwaited ? values : held(values)))
  }
  return answers
}

/** The error of a statement undoes the transaction of all, so it means nothing yet. */
const held = (values: readonly unknown[]) => [new Held(values, (error) => error)]

async function lockAll(locks: readonly IdLock[], send: Send): Promise<Answer[]> {
  const ids = locks.flatMap((lock) => lock.ids)
  const others = new Set(locks.filter(({ hasOthers }) => hasOthers).map(({ text }) => text))
  const texts = others.size > 0 ? [...others].sort() : [locks[0]!.text]
  for (const text of texts) await send(text, held([text === texts.at(-1) ? ids : []]))
  return locks.map(() => NOTHING)
}

async function writeAll(writes: readonly Write[], send: Send): Promise<Answer[]> {
  const [{ inserts, call }] = writes as [Write]
  const names = call.types.map((_, place) => sql.ref(`v${place}`))
  const values = call.types.map((type, place) => sql`${names[place]}::${sql.raw(type)}`)
  const lists = call.types.map((_, place) => {
    return sql`${textsOf(writes.map((write) => write.call.values[place]))}::text[]`
  })
  const statement = together(
    inserts.map((_, place) => insertTogether(writes.map((write) => write.inserts[place]!))),
    sql`select ${sql.raw(call.name)}(${sql.join(values)}) from unnest(${sql.join(lists)}) as each (${sql.join(names)})`,
  )
  const { sql: text, parameters } = compiler.compileQuery(
    statement.toOperationNode() as RawNode,
    createQueryId(),
  )
  await send(text, held(parameters))
  return writes.map(() => NOTHING)
}

const compiler = new PostgresQueryCompiler()

/** The types of the parameters of each query that was executed for several operations. */
const typesOfQueries = new Map<string, readonly string[]>()

/** Executes a query once for each set of values; undefined while the connection has not prepared it. */
async function readEach(reads: readonly Statement[], send: Send): Promise<Answer[] | undefined> {
  const [{ text, values }] = reads as [Statement]
  const types = typesOfQueries.get(text) ?? (await findTypes(text, send))
  if (!types) return undefined
  const names = values.map((_, place) => `v${place + 1}`)
  const lists = values.map((_, place) => `$${place + 1}::text[]`)
  const query = text.replace(/\$(\d+)/g, (_, place) => `(v${place}::${types[place - 1]})`)
  const { rows } = await send(
    `select place, answers.* from unnest(${lists}) with ordinality as each (${names}, place), lateral (${query}) as answers`,
    values.map((_, place) => textsOf(reads.map((one) => one.values[place]))),
  )
  const answers: Answer[] = reads.map(() => ({ rows: [] }))
  for (const row of rows) answers[Number(row.place) - 1]!.rows.push(row)
  return answers
}

async function findTypes(text: string, send: Send): Promise<readonly string[] | undefined> {
  const { rows } = await send(
    'select parameter_types::text[] as types from pg_prepared_statements where statement = $1 limit 1',
    [text],
  )
  const types: readonly string[] | undefined = rows[0]?.types
  if (types) typesOfQueries.set(text, types)
  return types
}

/** Returns values as texts, which PostgreSQL reads as it reads the parameters. */
const textsOf = (values: readonly unknown[]): (string | null)[] =>
  values.map((value) => (value === null || value === undefined ? null : required(textOf(value))))

function required(text: string | undefined): string {
  if (text === undefined) throw new Error('a value of a joined statement has no text')
  return text
}
