import type pg from 'pg'

/**
 * The settings of a connection to the coordinator of a cluster. Citus needs the values to plan a statement on
 * several machines, and refuses it without them (`limit $1`, an insert of what a query finds), so each has a plan of its own. A transaction that read several shards at once
 * could not write to a reference table otherwise.
 */
export const CLUSTER_SESSION = {
  plan_cache_mode: 'force_custom_plan',
  'citus.multi_shard_modify_mode': 'sequential',
} as const

/** The error of a missing table (undefined_table) about the table of a shard. */
const NO_TABLE = '42P01'
const TABLE_OF_SHARD = /\b[a-z_]+_\d{5,}\b/

/**
 * Reports whether a statement found no table of its shard: the shard was moved, or Citus called a member's
 * function on the coordinator, as it does for a second or so after `citus_update_node`. The transaction had
 * no effect and can be repeated.
 */
export function isShardMissing({ code, message }: pg.DatabaseError): boolean {
  return code === NO_TABLE && TABLE_OF_SHARD.test(message)
}
