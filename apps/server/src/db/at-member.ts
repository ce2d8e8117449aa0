import {
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  PostgresQueryCompiler,
  type QueryResult,
  RawNode,
  type RootOperationNode,
  sql,
  type UnknownRow,
  ValueNode,
} from 'kysely'
import type { Db } from './database.ts'
import { literalOf } from './literals.ts'
import { spansMachines } from './machines.ts'

/** The functions that each shard has of its own, with its tables. */
export const SHARD_FUNCTIONS = ['ledger_write_batches']

/** The shard of a member, and the names of what belongs to it. */
interface Shard {
  readonly memberId: bigint
  readonly id: string
  readonly names: ReadonlyMap<string, string>
}

/**
 * Returns the transaction as one whose statements run on the machine of a member and see the rows of that member's shard alone;
 * a range of members, say, is there the part of it that is in the shard. Tables of the coordinator are not there. Values of rows
 * are JSON: 64-bit integers must be text. On one machine it is the transaction itself.
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

/** Names the tables and functions of a shard in a text. */
export function inShard(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(/\b[a-z_]+\b/g, (word) => names.get(word) ?? word)
}

const RETURNS_ROWS = /^\s*select\b/i

/** Sends each statement to the machine of the shard, as a text with its values. */
class AtMember implements KyselyPlugin {
  readonly #compiler = new PostgresQueryCompiler()
  readonly #shard: Shard
  readonly #reads = new WeakSet<object>()

  constructor(shard: Shard) {
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

/** Returns a value as a literal. Throws for one that has none. */
function literalTextOf(value: unknown): string {
  const literal = literalOf(value)
  if (literal === undefined) throw new Error('a value of this type cannot be sent to a shard')
  return literal
}
