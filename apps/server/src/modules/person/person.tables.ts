/** A table with rows about a member: how these are found, and what is left out. */
export interface ExportedTable {
  readonly by: 'member_id' | 'address'
  /** Columns that are secrets of the product or notes of operators. */
  readonly without?: readonly string[]
}

const OWN: ExportedTable = { by: 'member_id' }

/** The tables whose rows a member receives, in the order of the export. */
export const EXPORTED: Readonly<Record<string, ExportedTable>> = {
  members: OWN,
  placements: OWN,
  // The hash of a token could be compared with a stolen one.
  sessions: { by: 'address', without: ['token_hash'] },
  sign_in_nonces: { by: 'address' },
  terms_acceptances: { by: 'address' },
  address_book: OWN,
  saved_only_switches: OWN,
  member_labels: OWN,
  address_notes: OWN,
  member_visits: OWN,
  member_consents: OWN,
  notice_members: OWN,
  // The address itself is encrypted under the operator's key; the page of notices shows it.
  notice_emails: { by: 'member_id', without: ['sealed', 'address_hash', 'code_hash'] },
  notice_pushes: {
    by: 'member_id',
    without: ['endpoint_hash', 'p256dh', 'auth', 'session_hash'],
  },
  notice_devices: { by: 'member_id', without: ['device_hash'] },
  notices: OWN,
  orders: OWN,
  rewards: OWN,
  reward_undone: OWN,
  management_switches: OWN,
  member_day_caps: OWN,
  member_debts: OWN,
  withdrawals: OWN,
  transfers: OWN,
  savings_transfers: OWN,
  standing_savings: OWN,
  statements: OWN,
  savings_interest: OWN,
  conversions: OWN,
  dividends: OWN,
  vc_subscriptions: OWN,
  hash_power_grants: OWN,
  fund_orders: OWN,
  fund_redemptions: OWN,
  fund_redemption_lots: OWN,
  fund_income: OWN,
  fund_bills: OWN,
  wallet_sends: OWN,
  sent_transactions: OWN,
  unmatched_payments: OWN,
  unmatched_claims: OWN,
  suspense_releases: OWN,
  ledger_transactions: OWN,
  ledger_postings: OWN,
  ledger_balances: OWN,
}

const DERIVED = 'computed from rows that are exported'
const TECHNICAL = 'technical state without anything about the person'
const OPERATORS = 'wallets of operators or contracts, not of members'
const REVIEW = 'written by operators for their review; handed out by them after they looked at it'

/** The tables that name members or addresses and are not exported, with the reason. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  admins: OPERATORS,
  banks: OPERATORS,
  decision_statements: OPERATORS,
  exit_destinations: OPERATORS,
  proposal_approvals: OPERATORS,
  proposals: OPERATORS,
  member_notes: REVIEW,
  risk_flags: REVIEW,
  earnings_windows: DERIVED,
  ledger_chain_members: DERIVED,
  ledger_guarded: DERIVED,
  ledger_heads: DERIVED,
  member_standings: DERIVED,
  reward_days: DERIVED,
  reward_totals: DERIVED,
  settlement_dividends: DERIVED,
  settlement_interest: DERIVED,
  settlement_members: DERIVED,
  settlement_rewards: DERIVED,
  chain_member_reads: TECHNICAL,
  fund_bill_runs: TECHNICAL,
  idempotency_keys: TECHNICAL,
  legs: TECHNICAL,
  notice_spreads: TECHNICAL,
  settlement_ranges: TECHNICAL,
}
