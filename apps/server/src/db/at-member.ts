import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  RawNode,
  type RootOperationNode,
  sql,
  type UnknownRow,
  ValueNode,
} from 'kysely'
import type { Db } from './database.ts'
import { literalOf } from './literals.ts'
import { spansMachines } from './machines.ts'
import { NotHere, renaming, SHARD_FUNCTIONS, type Shard } from './member-machines.ts'
import type { Write } from './rows.ts'
import { TABLE_CLASSES } from './table-classes.ts'

/** The shard of a member, and the names of its tables and functions. */
interface OwnShard {
  readonly memberId: bigint
  readonly id: string
  readonly names: ReadonlyMap<string, string>
}

/**
 * Returns the transaction in a form whose statements run on a member's machine and see only the rows of that
 * member's shard; of a range of members, for example, only those in the shard. Tables of the coordinator are
 * not available. Row values are JSON: 64-bit integers must be text. On one machine it is the transaction
 * itself.
 */
export async function atMember(dbTx: Db, memberId: bigint): Promise<Db> {
  if (!spansMachines(dbTx)) return dbTx
  const { rows } = await sql<{ name: string; id: string }>`
    select other.logicalrelid::text as name, other.shardid::text as id
    from pg_dist_shard as own
    join pg_dist_partition as part on part.partmethod = 'h'
    join pg_dist_shard as other on other.logicalrelid = part.logicalrelid and other.shardminvalue = own.shardminvalue
    where own.shardid = get_shard_id_for_distribution_column('ledger_heads', ${memberId}::bigint)`.execute(
    dbTx,
  )
  const { id } = rows.find(({ name }) => name === 'ledger_heads')!
  const names = [...rows, ...SHARD_FUNCTIONS.map((name) => ({ name, id }))].map(
    (row) => [row.name, `${row.name}_${row.id}`] as const,
  )
  return dbTx.withPlugin(new AtMember({ memberId, id, names: new Map(names) }))
}

/** Replaces the names of tables and functions in a text by the shard's. */
export function inShard(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\b[a-z_]+\b/g, (word) => names.get(word) ?? word)
}

const RETURNS_ROWS = /^\s*select\b/i

/** Sends each statement to the machine of the shard, as a text with its values. */
class AtMember implements KyselyPlugin {
  readonly #compiler = new PostgresQueryCompiler()
  readonly #shard: OwnShard
  readonly #reads = new WeakSet<object>()

  constructor(shard: OwnShard) {
    this.#shard = shard
  }

  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    const { sql: text, parameters } = this.#compiler.compileQuery(node, queryId)
    const { memberId, id, names } = this.#shard
    const statement = inShard(text, names).replace(/\$(\d+)/g, (_, place) =>
      literalTextOf(parameters[place - 1]),
    )
    const isRead = RETURNS_ROWS.test(statement)
    if (isRead) this.#reads.add(queryId)
    const values = [
      `${memberId}`,
      id,
      isRead ? `select json_agg(found)::text from (${statement}) as found` : statement,
      isRead,
    ]
    return RawNode.create(
      ['select run_at_member(', '::bigint, ', '::bigint, ', '::text, ', '::boolean) as value'],
      values.map((value) => ValueNode.create(value)),
    )
  }

  async transformResult({ queryId, result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const text = result.rows[0]?.value as string | null
    return { rows: this.#reads.has(queryId) && text !== null ? JSON.parse(text) : [] }
  }
}

const ON_MACHINES = Object.keys(TABLE_CLASSES).filter((table) => TABLE_CLASSES[table] !== 'coordinator')
const mark = renaming(
  new Map([
    ...ON_MACHINES.map((table) => [table, `@${table}@`] as const),
    ...SHARD_FUNCTIONS.map((name) => [name, `${name}@@`] as const),
  ]),
)

/**
 * A statement for `execute_in_shard`: its text, the name of its prepared form, and the literals of its
 * parameters.
 */
interface InShard {
  readonly name: string
  readonly query: string
  readonly values: string
}

/** The shard form of each text. There are few texts. */
const preparedTexts = new Map<string, Pick<InShard, 'name' | 'query'>>()

function inAnyShard(statement: Write, db: Db, formOf: (text: string) => string): InShard {
  const { sql: text, parameters } = statement.compile(db)
  const values = parameters.length === 0 ? '' : `(${parameters.map(literalTextOf).join(',')})`
  const known = preparedTexts.get(text)
  if (known !== undefined) return { ...known, values }
  const query = formOf(mark(text))
  const made = { query, name: `m_${createHash('sha256').update(query).digest('hex').slice(0, 16)}` }
  preparedTexts.set(text, made)
  return { ...made, values }
}

/** Returns a write of one member's rows for `write_at_member`; it returns one number, or null. */
export const writeInShard = (db: Db, write: Write): InShard => inAnyShard(write, db, (text) => text)

/**
 * Executes a query about the rows of one member on their machine, prepared on the tables of the shard. Only
 * for a distributed database. Its rows are JSON: 64-bit integers must be text.
 */
export async function readAtMember<Row>(db: Db, memberId: bigint, query: RawBuilder<Row>): Promise<Row[]> {
  const asJson = (text: string) => `select json_agg(found)::text from (${text}) as found`
  const prepared = inAnyShard(query, db, asJson)
  const { rows } = await sql<{ value: string | null }>`
    select read_at_member(${memberId}::bigint, ${prepared.name}::text, ${prepared.query}::text, ${prepared.values}::text) as value`.execute(
    db,
  )
  const value = rows[0]!.value
  return value === null ? [] : JSON.parse(value)
}

/** The error of a missing table: undefined_table. */
const NO_TABLE = '42P01'

/**
 * Executes a query of at least one row about members of a shard, directly on the machine of the shard. Throws
 * NotHere if the shard has moved; its old tables remain there for a while.
 */
export async function readInShard<Row>(machine: Db, shard: Shard, query: RawBuilder<Row>): Promise<Row[]> {
  const { sql: text, parameters } = query.compile(machine)
  const statement = `select found.*, exists (select from pg_dist_placement join pg_dist_local_group using (groupid)
    where shardid = ${shard.id}) as "isHere" from (${shard.inTables(text)}) as found`
  const moved = () => new NotHere(`shard ${shard.id} is not on this machine`)
  const { rows } = await machine
    .executeQuery<Row & { isHere: boolean }>(CompiledQuery.raw(statement, [...parameters]))
    .catch((error: { code?: string }) => {
      throw error.code === NO_TABLE ? moved() : error
    })
  if (rows[0]?.isHere !== true) throw moved()
  return rows
}

/** Returns a value as a literal. Throws for a value that has none. */
function literalTextOf(value: unknown): string {
  const literal = literalOf(value)
  if (literal === undefined) throw new Error('a value of this type cannot be sent to a shard')
  return literal
}
