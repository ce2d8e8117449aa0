import type { DB } from './types.gen.ts'

/**
 * The rights of the application's login on each table, besides reading. A right that no statement of the server needs is
 * not granted. A lock of rows (`for update`, `for share`) needs `update`. The tables of the ledger are written only by its
 * functions.
 */
type Right = 'insert' | 'update' | 'delete'

const NONE: readonly Right[] = []
const APPENDED: readonly Right[] = ['insert']
const UPDATED: readonly Right[] = ['update']
const CHANGED: readonly Right[] = ['insert', 'update']
const REPLACED: readonly Right[] = ['insert', 'delete']
const TEMPORARY: readonly Right[] = ['insert', 'update', 'delete']

export const TABLE_RIGHTS: Readonly<Record<keyof DB, readonly Right[]>> = {
  address_book: TEMPORARY,
  admin_actions: APPENDED,
  admin_seals: NONE,
  admins: TEMPORARY,
  attestations: CHANGED,
  chain_blocks: REPLACED,
  chain_cursors: CHANGED,
  chain_events: CHANGED,
  conversions: TEMPORARY,
  decision_statements: TEMPORARY,
  dividend_days: APPENDED,
  dividends: APPENDED,
  exchange_terms: CHANGED,
  fund_bill_runs: CHANGED,
  fund_bills: APPENDED,
  fund_documents: APPENDED,
  fund_income: APPENDED,
  fund_navs: CHANGED,
  fund_orders: CHANGED,
  fund_products: CHANGED,
  fund_redemption_lots: APPENDED,
  fund_redemptions: CHANGED,
  hash_power_grants: APPENDED,
  idempotency_keys: TEMPORARY,
  jobs: CHANGED,
  ledger_balances: NONE,
  ledger_flow_days: NONE,
  ledger_flow_deltas: NONE,
  ledger_flow_sums: NONE,
  ledger_flows: NONE,
  ledger_heads: NONE,
  ledger_pool_days: NONE,
  ledger_pools: NONE,
  ledger_postings: NONE,
  ledger_shares: NONE,
  ledger_transactions: NONE,
  leg_sums: CHANGED,
  legs: CHANGED,
  management_switches: APPENDED,
  member_day_caps: APPENDED,
  member_days: CHANGED,
  member_labels: TEMPORARY,
  member_levels: UPDATED,
  member_notes: APPENDED,
  member_standings: CHANGED,
  member_visits: CHANGED,
  members: CHANGED,
  order_days: CHANGED,
  orders: CHANGED,
  packages: UPDATED,
  pauses: REPLACED,
  placements: APPENDED,
  plans: APPENDED,
  prices: APPENDED,
  proposals: CHANGED,
  revenue_deposits: APPENDED,
  reward_batches: APPENDED,
  reward_coverage: CHANGED,
  reward_days: CHANGED,
  reward_totals: CHANGED,
  rewards: APPENDED,
  risk_flags: REPLACED,
  sales_days: CHANGED,
  savings_batches: APPENDED,
  savings_interest: APPENDED,
  savings_transfers: CHANGED,
  sent_transactions: TEMPORARY,
  sessions: TEMPORARY,
  settlement_days: CHANGED,
  settlement_dividends: APPENDED,
  settlement_interest: APPENDED,
  settlement_members: APPENDED,
  settlement_ranges: CHANGED,
  settlement_rewards: APPENDED,
  settlement_start: APPENDED,
  sign_in_days: CHANGED,
  sign_in_nonces: TEMPORARY,
  suspense_releases: APPENDED,
  transfers: APPENDED,
  unmatched_claims: APPENDED,
  unmatched_payments: APPENDED,
  vc_launches: CHANGED,
  vc_subscriptions: CHANGED,
  wallet_sends: TEMPORARY,
  withdrawals: CHANGED,
}

/** The functions of the application's login that run with the owner's rights. */
export const OWNER_FUNCTIONS = [
  'jobs_enqueue',
  'ledger_fold_flows',
  'ledger_lock',
  'ledger_open_custody',
  'ledger_post',
  'ledger_post_many',
  'ledger_reserve',
  'settlement_clear_stage',
] as const

/** What the signing process reads: withdrawals and orders, and what it needs to check them. */
export const SIGNER_TABLES = [
  'admin_actions',
  'chain_cursors',
  'fund_orders',
  'ledger_balances',
  'ledger_heads',
  'ledger_postings',
  'ledger_transactions',
  'members',
  'orders',
  'packages',
  'pauses',
  'plans',
  'prices',
  'withdrawals',
] as const satisfies readonly (keyof DB)[]
