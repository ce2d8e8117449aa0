import type { KeptBecause } from '@rif/api-schema'

/** A table with rows about a member: the condition that finds them, and the columns left out. */
export interface ExportedTable {
  readonly by: 'member_id' | 'address'
  /** Columns that are secrets of the product, notes of operators or their wallets. */
  readonly without?: readonly string[]
  /** The columns that identify a view's rows of a member, because a view has no primary key. */
  readonly key?: readonly string[]
}

const OWN: ExportedTable = { by: 'member_id' }
const REVIEWED: ExportedTable = { by: 'member_id', without: ['reviewed_by'] }

/** The tables whose rows a member receives, in the order of the export. */
export const EXPORTED: Readonly<Record<string, ExportedTable>> = {
  members: OWN,
  placements: OWN,
  // The hash of a token could be compared with a stolen one.
  sessions: { by: 'address', without: ['token_hash'] },
  sign_in_visits: { by: 'address' },
  terms_acceptances: { by: 'address' },
  refused_addresses: { by: 'address', without: ['approved_by'] },
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
  announcement_dismissals: OWN,
  orders: OWN,
  rewards: OWN,
  reward_undone: OWN,
  management_switches: OWN,
  member_day_caps: { by: 'member_id', without: ['set_by'] },
  member_debts: OWN,
  withdrawals: REVIEWED,
  transfers: REVIEWED,
  unsigned_moves: OWN,
  savings_transfers: OWN,
  standing_savings: OWN,
  statements: OWN,
  shared_links: { by: 'member_id', without: ['token_hash'] },
  savings_interest: OWN,
  conversions: OWN,
  dividends: OWN,
  vc_subscriptions: OWN,
  hash_power_grants: { by: 'member_id', without: ['prepared_by', 'reviewed_by'] },
  fund_orders: OWN,
  fund_redemptions: { by: 'member_id', without: ['reviewed_by', 'confirmed_by'] },
  fund_redemption_lots: OWN,
  fund_income: OWN,
  fund_bills: OWN,
  wallet_sends: OWN,
  sent_transactions: OWN,
  unmatched_payments: OWN,
  unmatched_claims: OWN,
  suspense_releases: { by: 'member_id', without: ['released_by'] },
  refund_allowances: OWN,
  refund_uses: OWN,
  ledger_entries: OWN,
  ledger_balances: { by: 'member_id', key: ['member_id', 'asset', 'account'] },
  erasures: OWN,
}

const DERIVED = 'computed from rows that are exported'
const TECHNICAL = 'technical state without anything about the person'
const OPERATORS = 'wallets of operators or contracts, not of members'
const REVIEW = 'written by operators for their review; handed out by them after they looked at it'

/** The tables that name members or addresses and are not exported, with the reason. */
export const EXCLUDED: Readonly<Record<string, string>> = {
  admins: OPERATORS,
  persons: OPERATORS,
  person_wallets: OPERATORS,
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
  notice_spreads: TECHNICAL,
  settlement_ranges: TECHNICAL,
}

/**
 * The treatment of a table by an erasure: delete the member's rows, empty the texts that the books do not
 * need, or keep the rows for a reason that is shown to the member.
 */
type Treatment =
  | { readonly erase: 'member_id' | 'address' }
  /** Rows of another table that belongs to the member. */
  | { readonly erase: 'of_statements' }
  | { readonly erase: 'consent_texts' }
  | { readonly keep: KeptBecause }

const ERASED: Treatment = { erase: 'member_id' }
const BOOKS: Treatment = { keep: 'books' }
const EVIDENCE: Treatment = { keep: 'evidence' }
const TEAM: Treatment = { keep: 'team' }

/** The treatment of each table that names members or addresses, in the order of an erasure. */
export const ERASURE: Readonly<Record<string, Treatment>> = {
  notices: ERASED,
  notice_emails: ERASED,
  notice_pushes: ERASED,
  notice_members: ERASED,
  notice_devices: ERASED,
  announcement_dismissals: ERASED,
  address_book: ERASED,
  saved_only_switches: ERASED,
  // Names that others gave this member stay with them, like a contact in a telephone.
  member_labels: ERASED,
  address_notes: ERASED,
  member_notes: ERASED,
  member_visits: ERASED,
  standing_savings: ERASED,
  sent_transactions: ERASED,
  chain_member_reads: ERASED,
  statement_chunks: { erase: 'of_statements' },
  statement_files: { erase: 'of_statements' },
  statements: ERASED,
  shared_links: ERASED,
  member_consents: { erase: 'consent_texts' },
  sign_in_visits: { erase: 'address' },
  sessions: { erase: 'address' },

  members: TEAM,
  placements: TEAM,
  orders: BOOKS,
  rewards: BOOKS,
  reward_undone: BOOKS,
  reward_days: BOOKS,
  reward_totals: BOOKS,
  management_switches: BOOKS,
  member_day_caps: BOOKS,
  member_debts: BOOKS,
  member_standings: BOOKS,
  withdrawals: BOOKS,
  transfers: BOOKS,
  unsigned_moves: BOOKS,
  savings_transfers: BOOKS,
  savings_interest: BOOKS,
  conversions: BOOKS,
  dividends: BOOKS,
  vc_subscriptions: BOOKS,
  hash_power_grants: BOOKS,
  fund_orders: BOOKS,
  fund_redemptions: BOOKS,
  fund_redemption_lots: BOOKS,
  fund_income: BOOKS,
  fund_bills: BOOKS,
  fund_bill_runs: BOOKS,
  unmatched_payments: BOOKS,
  unmatched_claims: BOOKS,
  suspense_releases: BOOKS,
  refund_allowances: BOOKS,
  refund_uses: BOOKS,
  ledger_entries: BOOKS,
  ledger_balances: BOOKS,
  ledger_chain_members: BOOKS,
  ledger_guarded: BOOKS,
  ledger_heads: BOOKS,
  earnings_windows: BOOKS,
  settlement_dividends: BOOKS,
  settlement_interest: BOOKS,
  settlement_members: BOOKS,
  settlement_ranges: BOOKS,
  settlement_rewards: BOOKS,
  // The operators' check of who paid whom reads it, and the chain shows the same publicly.
  wallet_sends: { keep: 'chain' },
  // No erasure is executed while the member is flagged, so that it cannot be used to escape a check.
  risk_flags: EVIDENCE,
  erasures: EVIDENCE,
  terms_acceptances: EVIDENCE,
  refused_addresses: EVIDENCE,
  admins: EVIDENCE,
  persons: EVIDENCE,
  person_wallets: EVIDENCE,
  banks: EVIDENCE,
  decision_statements: EVIDENCE,
  exit_destinations: EVIDENCE,
  proposal_approvals: EVIDENCE,
  proposals: EVIDENCE,
  notice_spreads: { keep: 'expires' },
  // Without it a repeated request would move money twice.
  idempotency_keys: { keep: 'expires' },
}

/** The explanations for operators of the kept data; the app has them in the member's language. */
export const KEPT_BECAUSE: Readonly<Record<KeptBecause, string>> = {
  books: 'the books: every entry adds up with those of others, and the reports on them are published',
  team: 'the wallet address, the place in the team and the sponsor: rewards of others follow from them',
  chain: 'what is on the public chain and its copies here: nobody can delete it',
  evidence: 'what the wallet signed to move money or accept terms, and the sealed log of the operators',
  others: 'the names that other members gave to this one: they belong to those members',
  expires: 'copies that are deleted on their own after days: answers to requests, webhooks, backups',
}
