import { APPENDED, CHANGED, REPLACED, type Right, TEMPORARY, UPDATED } from '../table-rights.ts'
import type { DB } from '../types.gen.ts'

/** Results of the open day, which are emptied when it is settled. */
const STAGED: readonly Right[] = [...TEMPORARY, 'truncate']

/**
 * The additional rights of the application's login on a distributed database. There the functions of the
 * ledger run with the rights of their caller (decision 49). The triggers of every shard still refuse changes
 * of posted rows.
 */
export const CLUSTER_RIGHTS: Readonly<Partial<Record<keyof DB, readonly Right[]>>> = {
  ledger_chain_days: APPENDED,
  ledger_chain_members: CHANGED,
  ledger_entries: APPENDED,
  ledger_flow_deltas: APPENDED,
  ledger_guarded: APPENDED,
  ledger_heads: CHANGED,
  ledger_pool_credits: TEMPORARY,
  ledger_pool_days: CHANGED,
  ledger_pool_parts: UPDATED,
  ledger_pools: UPDATED,
  ledger_shares: UPDATED,
  plans: UPDATED,
  reward_batches: REPLACED,
  rewards: REPLACED,
  settlement_dividends: STAGED,
  settlement_interest: STAGED,
  settlement_members: STAGED,
  settlement_rewards: STAGED,
  unmatched_claims: REPLACED,
  unmatched_payments: REPLACED,
}
