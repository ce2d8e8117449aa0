/**
 * Where a table's rows live once the database is spread over several machines (architecture, "Ledger and data at three
 * sizes"): `distributed` by member_id; `reference`, a copy on every machine; `coordinator`, on the one machine that
 * coordinates. Every table must be named here; `catalog-check.ts` holds the schema to it on plain PostgreSQL.
 */
export type TableClass = 'distributed' | 'reference' | 'coordinator'

export const TABLE_CLASSES: Readonly<Record<string, TableClass>> = {
  admin_actions: 'coordinator',
  attestations: 'coordinator',
  chain_blocks: 'coordinator',
  chain_cursors: 'coordinator',
  chain_events: 'coordinator',
  idempotency_keys: 'distributed',
  ledger_balances: 'distributed',
  ledger_heads: 'distributed',
  ledger_pool_days: 'coordinator',
  ledger_pools: 'coordinator',
  ledger_postings: 'distributed',
  ledger_transactions: 'distributed',
  leg_sums: 'coordinator',
  legs: 'coordinator',
  management_switches: 'distributed',
  member_standings: 'distributed',
  members: 'coordinator',
  orders: 'distributed',
  packages: 'coordinator',
  placements: 'coordinator',
  plans: 'reference',
  prices: 'reference',
  revenue_deposits: 'coordinator',
  reward_batches: 'coordinator',
  reward_coverage: 'coordinator',
  reward_days: 'distributed',
  reward_totals: 'distributed',
  rewards: 'distributed',
  risk_flags: 'distributed',
  schema_migrations: 'coordinator',
  sessions: 'coordinator',
  settlement_days: 'coordinator',
  settlement_members: 'distributed',
  settlement_ranges: 'coordinator',
  settlement_rewards: 'distributed',
  settlement_start: 'coordinator',
  sign_in_nonces: 'coordinator',
  unmatched_claims: 'distributed',
  unmatched_payments: 'distributed',
  withdrawals: 'distributed',
}
