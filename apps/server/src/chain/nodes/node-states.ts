import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { NodeState } from './node.ts'
import type { Nodes } from './nodes.ts'

/** A node as last judged by the leading indexer. */
export interface StoredNode {
  readonly id: string
  readonly host: string
  /** Its place in RPC_URL, from 0. */
  readonly place: number
  readonly state: NodeState
  readonly reason: string | null
  readonly headNumber: bigint | null
  readonly headAt: Date | null
  /** The time from which it has this state. */
  readonly since: Date
  readonly checkedAt: Date
}

/**
 * Stores the state of every configured node, for all processes, and deletes nodes that are no longer
 * configured.
 */
export async function storeNodeStates(db: Db, { chainId, report }: Nodes, at: Date): Promise<void> {
  const nodes = report()
  await sql`
    with gone as (
      delete from chain_nodes where chain_id = ${chainId} and node_id <> all(${nodes.map(({ id }) => id)}::text[])
    )
    insert into chain_nodes as stored
      (chain_id, node_id, host, place, state, reason, head_number, head_at, since, checked_at)
    select ${chainId}, node_id, host, place - 1, state, reason, head_number, head_at, ${at}, ${at}
    from unnest(
      ${nodes.map(({ id }) => id)}::text[], ${nodes.map(({ host }) => host)}::text[],
      ${nodes.map(({ state }) => state)}::text[], ${nodes.map(({ reason }) => reason)}::text[],
      ${nodes.map(({ head }) => head?.number ?? null)}::bigint[],
      ${nodes.map(({ head }) => head?.at ?? null)}::timestamptz[]
    ) with ordinality as n (node_id, host, state, reason, head_number, head_at, place)
    on conflict (chain_id, node_id) do update set host = excluded.host, place = excluded.place,
      state = excluded.state, reason = excluded.reason, head_number = excluded.head_number, head_at = excluded.head_at,
      since = case when stored.state = excluded.state then stored.since else excluded.since end,
      checked_at = excluded.checked_at`.execute(db)
}

/** Returns the nodes in the order of RPC_URL; none before the first run of the indexer. */
export async function storedNodes(db: Db, chainId: number): Promise<StoredNode[]> {
  const { rows } = await sql<StoredNode>`
    select node_id as id, host, place, state, reason, head_number as "headNumber", head_at as "headAt", since,
      checked_at as "checkedAt"
    from chain_nodes where chain_id = ${chainId} order by place`.execute(db)
  return rows
}

/** Makes a process use and avoid the same nodes as the leading indexer, unless it is that process. */
export async function adoptNodeStates(db: Db, nodes: Nodes): Promise<void> {
  if (!nodes.judgesItself()) nodes.adopt(await storedNodes(db, nodes.chainId))
}
