// The tables as TypeScript types. Written by `npm run gen:db` from a migrated database; do not edit.

import type { ColumnType } from "kysely";

export type ArrayType<T> = ArrayTypeImpl<T> extends (infer U)[]
  ? U[]
  : ArrayTypeImpl<T>;

export type ArrayTypeImpl<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S[], I[], U[]>
  : T[];

export type Generated<T> = T extends ColumnType<infer S, infer I, infer U>
  ? ColumnType<S, I | undefined, U>
  : ColumnType<T, T | undefined, T>;

export type Json = JsonValue;

export type JsonArray = JsonValue[];

export type JsonObject = {
  [x: string]: JsonValue | undefined;
};

export type JsonPrimitive = boolean | number | string | null;

export type JsonValue = JsonArray | JsonObject | JsonPrimitive;

export type Numeric = ColumnType<string, number | string, number | string>;

export type Timestamp = ColumnType<Date, Date | string, Date | string>;

export interface AddressBook {
  address: string;
  label: string | null;
  last_sent_at: Timestamp | null;
  member_id: bigint;
  saved_at: Timestamp | null;
}

export interface AddressNotes {
  address: string;
  changed_at: Timestamp;
  member_id: bigint;
  note: string;
}

export interface AdminActions {
  acted_at: Timestamp;
  action: string;
  action_id: Generated<bigint>;
  actor: string;
  after: Json | null;
  before: Json | null;
  reason: string | null;
  subject: string;
}

export interface Admins {
  address: string;
  granted_at: Timestamp;
  role: "viewer" | "operator" | "approver" | "owner";
}

export interface AdminSeals {
  action_id: bigint;
  hash: Buffer;
  previous: Buffer;
  seq: bigint;
}

export interface AlarmMessages {
  alarm_id: Generated<bigint>;
  attempts: Generated<number>;
  detail: string;
  email_at: Timestamp | null;
  ended_at: Timestamp | null;
  event: "begun" | "ended" | "once";
  name: string;
  next_attempt_at: Timestamp;
  raised_at: Timestamp;
  subject: string;
  webhook_at: Timestamp | null;
}

export interface Alarms {
  detail: string;
  lasts_until: Timestamp | null;
  name: string;
  since: Timestamp;
  subject: string;
}

export interface AnnouncementDismissals {
  announcement_id: bigint;
  dismissed_at: Timestamp;
  member_id: bigint;
}

export interface Announcements {
  announcement_id: Generated<bigint>;
  approved_by: string;
  expires_at: Timestamp | null;
  proposal_id: bigint;
  proposed_by: string;
  published_at: Timestamp;
  texts: Json;
  withdraw_reason: string | null;
  withdrawn_at: Timestamp | null;
  withdrawn_by: string | null;
}

export interface Attestations {
  amount_micros: bigint;
  approved_at: Timestamp | null;
  approved_by: string | null;
  asset: "USDT" | "AMC";
  attestation_id: Generated<bigint>;
  deposit_id: string;
  document_hash: string;
  pool: "yield_pool" | "savings_pool" | "dividend_pool";
  prepared_at: Timestamp;
  prepared_by: string;
  source: string;
  undone_at: Timestamp | null;
}

export interface BankAlarms {
  detail: string;
  kind: string;
  since: Timestamp;
}

export interface BankCaps {
  asset: "USDT" | "AMC";
  cap_micros: bigint;
  read_at: Timestamp;
  remaining_micros: bigint;
}

export interface BankChanges {
  account: string | null;
  asset: "USDT" | "AMC" | null;
  bank: string;
  block_number: bigint;
  cap_micros: bigint | null;
  changed_at: Timestamp;
  executable_at: Timestamp | null;
  is_deployment: boolean;
  kind: "role_granted" | "role_revoked" | "signer_queued" | "signer_cancelled" | "removal_queued" | "removal_cancelled" | "raise_queued" | "raise_cancelled" | "cap_changed" | "orders_paused" | "orders_resumed" | "admin_transfer" | "admin_transfer_cancelled" | "admin_delay" | "hand_over_queued" | "hand_over_cancelled" | "handed_over";
  log_index: number;
  noted_at: Timestamp;
  proposed_by: string | null;
  role: string | null;
  tx_hash: string;
}

export interface Banks {
  address: string;
  executable_at: Timestamp | null;
  from_block: bigint;
  handed_over_at: Timestamp | null;
  handed_over_block: bigint | null;
  key_away: Generated<boolean>;
  next_key_at: Timestamp | null;
  number: number;
  successor: string | null;
}

export interface ChainBlocks {
  block_at: Timestamp;
  chain_id: bigint;
  hash: string;
  number: bigint;
  parent_hash: string;
}

export interface ChainCursors {
  applied_block_at: Timestamp;
  applied_number: bigint;
  chain_id: bigint;
  contracts: string;
  finalised_block_at: Timestamp;
  finalised_hash: string;
  finalised_number: bigint;
  halted: Generated<boolean>;
  head_number: bigint;
  l1_final_block_at: Timestamp | null;
  l1_final_number: bigint | null;
  last_error: string | null;
  polled_at: Timestamp;
  revision: Generated<bigint>;
  undo_until: bigint | null;
  usdt_decimals: number | null;
}

export interface ChainEvents {
  args: Json;
  block_at: Timestamp;
  block_hash: string;
  block_number: bigint;
  chain_id: bigint;
  contract: string;
  failed_at: Timestamp | null;
  failure: string | null;
  l1_final_at: Timestamp | null;
  log_index: number;
  missing: Generated<boolean>;
  name: string;
  state: "seen" | "final" | "dropped";
  told: Generated<"nothing" | "seen" | "final" | "dropped">;
  told_at: Timestamp | null;
  tx_hash: string;
}

export interface ChainMemberReads {
  calls: number;
  member_id: bigint;
  minute: Timestamp;
}

export interface ChainMissed {
  block_number: bigint;
  found_at: Timestamp;
  kind: "OrderPaid" | "Claimed";
  onchain_id: string;
}

export interface ChainNodes {
  chain_id: bigint;
  checked_at: Timestamp;
  head_at: Timestamp | null;
  head_number: bigint | null;
  host: string;
  node_id: string;
  place: number;
  reason: string | null;
  since: Timestamp;
  state: "healthy" | "lagging" | "wrong-chain" | "disagrees" | "unreachable";
}

export interface ChainRecoveries {
  ancestor_block_at: Timestamp;
  ancestor_hash: string;
  ancestor_number: bigint;
  approved_at: Timestamp | null;
  approved_by: string | null;
  chain_id: bigint;
  found_at: Timestamp;
  plan: Json;
  recovery_id: Generated<bigint>;
}

export interface ChainRecoveryEvents {
  block_hash: string;
  log_index: number;
  moves: boolean;
  recovery_id: bigint;
}

export interface ChainSetAside {
  approved_by: string;
  block_hash: string;
  chain_id: bigint;
  failure: string;
  log_index: number;
  name: string;
  prepared_by: string;
  reason: string;
  set_aside_at: Timestamp;
  tx_hash: string;
}

export interface ChainUndone {
  args: Json;
  block_hash: string;
  block_number: bigint;
  chain_id: bigint;
  log_index: number;
  name: string;
  outcome: "undone" | "covered" | "moved";
  recovery_id: bigint | null;
  tx_hash: string;
  undone_at: Timestamp;
  undone_id: Generated<bigint>;
}

export interface Conversions {
  amc_price_micros: bigint | null;
  conversion_id: Generated<bigint>;
  day: string | null;
  done_at: Timestamp | null;
  expires_at: Timestamp;
  member_id: bigint;
  paid_micros: bigint;
  quoted_at: Timestamp;
  rate_micros: bigint | null;
  received_micros: bigint;
  rif_price_micros: bigint | null;
  source_asset: "AMC" | "RIF";
  target_asset: "RIF" | "DIV" | "VC";
}

export interface DecisionStatements {
  address: string;
  approve: boolean;
  deadline: Timestamp;
  nonce: string;
  proposal_id: bigint;
  reason: string;
  used_at: Timestamp | null;
}

export interface DepositLooks {
  deposit_id: string;
  depositor: string;
  from_at: Timestamp;
  from_block: bigint;
  looked_at: Timestamp;
  senders: Json;
  to_block: bigint;
}

export interface DepositUses {
  deposit_id: string;
  use: "attestation" | "divest";
}

export interface DisplayRates {
  currency: string;
  proposal_id: bigint | null;
  published_at: Timestamp;
  published_by: string;
  rate_day: string | null;
  rate_id: Generated<bigint>;
  rate_micros: bigint | null;
  share_ppm: number;
  source: string | null;
}

export interface DividendDays {
  amc_micros: bigint;
  day: string;
  div_micros: Numeric;
  fixed_at: Timestamp;
  holders: bigint;
  pool_amc_micros: bigint;
  pool_usdt_micros: bigint;
  usdt_micros: bigint;
}

export interface Dividends {
  amc_micros: bigint;
  day: string;
  div_micros: bigint;
  member_id: bigint;
  paid_at: Timestamp;
  usdt_micros: bigint;
}

export interface EarningsDays {
  computed_at: Timestamp;
  day: string;
  figures: Json;
}

export interface EarningsWindows {
  age: number;
  back_micros: bigint;
  first_day: string;
  level: number;
  member_id: bigint;
  paid_micros: bigint;
}

export interface Erasures {
  cancelled_at: Timestamp | null;
  done_at: Timestamp | null;
  due_at: Timestamp;
  erasure_id: Generated<bigint>;
  member_id: bigint;
  requested_at: Timestamp;
  requested_by: "member" | "operator";
}

export interface ExchangeTerms {
  asset: "DIV" | "VC";
  day_cap_micros: bigint | null;
  prepared_at: Timestamp;
  prepared_by: string;
  rate_micros: bigint;
  reviewed_at: Timestamp | null;
  reviewed_by: string | null;
  state: Generated<"Prepared" | "Approved" | "Rejected">;
  terms_id: Generated<bigint>;
  valid_from: Timestamp | null;
}

export interface ExitDestinations {
  address: string;
  approved_at: Timestamp;
  approved_by: string;
  name: string;
  prepared_by: string;
  purpose: string;
}

export interface Exits {
  amount_micros: bigint;
  announced_at: Timestamp | null;
  announced_tx: string | null;
  approved_at: Timestamp;
  approved_by: string;
  asset: "USDT" | "AMC";
  bank: string;
  destination: string;
  document_hash: string;
  ended_at: Timestamp | null;
  ended_tx: string | null;
  executable_at: Timestamp | null;
  exit_id: Generated<bigint>;
  expires_at: Timestamp | null;
  investment_id: bigint | null;
  kind: "treasury_payout" | "fund_invest";
  onchain_id: string;
  prepared_by: string;
  product_id: bigint | null;
  purpose: string;
  released_at: Timestamp | null;
  seen_step: "announced" | "executed" | "cancelled" | null;
  seen_tx: string | null;
  source: "revenue" | "fees" | null;
  state: Generated<"Approved" | "Announced" | "Executed" | "Cancelled" | "Lapsed" | "HandedOver" | "Withdrawn">;
}

export interface FundBillRuns {
  finished_at: Timestamp | null;
  last_member_id: Generated<bigint>;
  month: string;
}

export interface FundBills {
  bill: string;
  digest: Buffer;
  made_at: Timestamp;
  member_id: bigint;
  month: string;
}

export interface FundDocuments {
  content: Buffer;
  document_id: number;
  hash: string;
  media_type: string;
  product_id: bigint;
  purpose: "terms" | "evidence";
  title: string;
}

export interface FundIncome {
  amount_micros: bigint;
  income_id: Generated<bigint>;
  management_fee_micros: bigint;
  member_id: bigint;
  product_id: bigint;
  received_at: Timestamp;
  redemption_id: bigint;
  source_member_id: bigint;
}

export interface FundInvestments {
  announced_at: Timestamp;
  approved_by: string;
  cancelled_at: Timestamp | null;
  cost_micros: bigint;
  destination: string;
  document_hash: string | null;
  document_id: number | null;
  ended_at: Timestamp | null;
  exit_id: string | null;
  invested_at: Timestamp | null;
  investment_id: Generated<bigint>;
  is_simulated: Generated<boolean>;
  prepared_by: string;
  product_id: bigint;
  state: Generated<"announced" | "invested" | "ended" | "cancelled">;
  value_micros: bigint;
}

export interface FundNavs {
  cash_micros: bigint;
  cause: "opening" | "valuation" | "divestment" | "payment" | "undone";
  invested_micros: bigint;
  nav_id: Generated<bigint>;
  nav_micros: bigint;
  product_id: bigint;
  published_at: Timestamp;
  units: bigint;
}

export interface FundOrders {
  bank: string | null;
  cancel_reason: "member" | "expired" | "price" | null;
  cancelled_at: Timestamp | null;
  collected_at: Timestamp | null;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  fee_micros: bigint;
  fee_ppm: number;
  member_id: bigint;
  nav_micros: bigint;
  order_id: Generated<bigint>;
  paid_at: Timestamp | null;
  payer: string;
  payment_method: "available" | "wallet";
  product_id: bigint;
  reported_at: Timestamp | null;
  seen_block: bigint | null;
  status: "UnPaid" | "Processing" | "Subscription" | "Paid" | "Redemption" | "Redeemed" | "Cancelled";
  tx_hash: string | null;
  units: bigint;
  units_left: Generated<bigint>;
  units_reserved: Generated<bigint>;
  unmatched_tx_hash: string | null;
}

export interface FundProducts {
  announced_micros: Generated<bigint>;
  approved_at: Timestamp | null;
  approved_by: string | null;
  began_nav_micros: bigint | null;
  closed_reason: "operator" | "loss" | "empty" | null;
  estimated_annual_return_ppm: number;
  introduction: Json;
  invested_micros: Generated<bigint>;
  is_invested: Generated<boolean>;
  lock_days: number;
  management_ppm: number;
  max_member_units: bigint | null;
  max_units: bigint | null;
  minimum_micros: bigint;
  name: string;
  nav_micros: bigint;
  opening_micros: bigint;
  prepared_at: Timestamp;
  prepared_by: string;
  product_id: Generated<bigint>;
  proposed_by: string | null;
  proposed_state: "open" | "closed" | null;
  redeemable_weekdays: number[];
  redemption_ppm: number;
  redemptions_approved: Generated<bigint>;
  redemptions_waiting: Generated<bigint>;
  risk_level: number;
  sold_ppm: number | null;
  state: Generated<"draft" | "open" | "closed">;
  subscription_ppm: number;
  units_approved: Generated<bigint>;
  units_at_valuation: Generated<bigint>;
  units_outstanding: Generated<bigint>;
  units_sold: Generated<bigint>;
  valued_at: Timestamp | null;
}

export interface FundRedemptionLots {
  member_id: bigint;
  order_id: bigint;
  redemption_id: bigint;
  units: bigint;
}

export interface FundRedemptions {
  approval_place: bigint | null;
  audited_at: Timestamp | null;
  cancelled_at: Timestamp | null;
  confirmed_by: string | null;
  cost_micros: bigint;
  due_at: Timestamp | null;
  management_fee_micros: bigint | null;
  member_id: bigint;
  nav_micros: bigint | null;
  paid_at: Timestamp | null;
  product_id: bigint;
  redemption_fee_micros: bigint | null;
  redemption_id: Generated<bigint>;
  review: "approve" | "reject" | null;
  review_reason: string | null;
  reviewed_at: Timestamp | null;
  reviewed_by: string | null;
  status: Generated<"Pending" | "Approved" | "Completed" | "Rejected" | "Cancelled">;
  submitted_at: Timestamp;
  units: bigint;
}

export interface FundValuationLines {
  investment_id: bigint;
  valuation_id: bigint;
  value_micros: bigint;
}

export interface FundValuations {
  amount_micros: bigint | null;
  decided_at: Timestamp | null;
  decided_by: string | null;
  deposit_id: string | null;
  document_hash: string | null;
  document_id: number | null;
  held_at: string;
  kind: "valuation" | "divestment";
  lapses_at: Timestamp;
  nav_micros: bigint | null;
  prepared_at: Timestamp;
  prepared_by: string;
  product_id: bigint;
  state: Generated<"proposed" | "applied" | "rejected" | "lapsed" | "undone">;
  stops_dealing: boolean;
  valuation_id: Generated<bigint>;
  value_micros: bigint;
}

export interface GuardAudits {
  audit_id: Generated<bigint>;
  differences: number | null;
  ended_at: Timestamp | null;
  kind: "full" | "changes";
  read_xid: bigint | null;
  started_at: Timestamp;
}

export interface GuardCauses {
  cause: "difference" | "shortfall" | "old_snapshot";
  detail: string;
  since: Timestamp;
}

export interface GuardDifferences {
  actual: string;
  check_name: string;
  cleared_at: Timestamp | null;
  cleared_by: string | null;
  expected: string;
  found_at: Timestamp;
  prepared_by: string | null;
  subject: string;
}

export interface GuardStart {
  singleton: Generated<boolean>;
  started_at: Timestamp;
}

export interface HashPowerGrants {
  amount_micros: bigint;
  grant_id: Generated<bigint>;
  key: string;
  member_id: bigint;
  prepared_at: Timestamp;
  prepared_by: string;
  reason: string;
  reviewed_at: Timestamp | null;
  reviewed_by: string | null;
  state: Generated<"Prepared" | "Approved" | "Rejected">;
}

export interface IdempotencyKeys {
  answer: Json | null;
  created_at: Timestamp;
  input_hash: Buffer;
  key: string;
  member_id: bigint;
  operation: string;
}

export interface Jobs {
  beat_at: Timestamp;
  failure: string | null;
  finished_at: Timestamp | null;
  job_id: Generated<bigint>;
  kind: "dry_run" | "rerun" | "comparison" | "bills" | "audit";
  progress_ppm: Generated<number>;
  request: Json;
  requested_at: Timestamp;
  requested_by: string;
  result: Json | null;
  step: Generated<"waiting" | "running" | "done" | "failed" | "cancelled">;
  subject: string;
  watched_at: Timestamp;
}

export interface LedgerBalances {
  account: string | null;
  asset: string | null;
  balance: bigint | null;
  member_id: bigint | null;
}

export interface LedgerChainDays {
  day: string;
  head: Buffer;
  members: bigint;
  postings: bigint;
}

export interface LedgerChainMembers {
  day: string;
  folded_seq: bigint;
  hash: Buffer;
  member_id: bigint;
}

export interface LedgerEntries {
  accounting_day: string;
  amount: bigint;
  asset: string;
  cause_id: string | null;
  cause_type: string | null;
  content_digest: Buffer | null;
  destination: string;
  idempotency_key: string | null;
  kind: string;
  line: number;
  member_id: bigint;
  posted_at: Timestamp | null;
  reverses_seq: bigint | null;
  seq: bigint;
  source: string;
}

export interface LedgerFlowDays {
  accounting_day: string;
  amount: Numeric;
  asset: string;
  destination: string;
  kind: string;
  postings: bigint;
  source: string;
}

export interface LedgerFlowDeltas {
  accounting_day: string;
  amount: bigint;
  asset: string;
  destination: string;
  kind: string;
  postings: bigint;
  source: string;
}

export interface LedgerFlows {
  asset: string | null;
  destination: string | null;
  kind: string | null;
  source: string | null;
}

export interface LedgerFlowSums {
  accounting_day: string | null;
  amount: Numeric | null;
  asset: string | null;
  destination: string | null;
  kind: string | null;
  postings: bigint | null;
  source: string | null;
}

export interface LedgerGuarded {
  amount: bigint;
  asset: string;
  cause_id: string;
  cause_type: string;
  destination: string;
  idempotency_key: string;
  kind: string;
  line: number;
  member_id: bigint;
  seq: bigint;
  source: string;
}

export interface LedgerHeads {
  balances: Generated<ArrayType<bigint>>;
  member_id: bigint;
  seq: bigint;
}

export interface LedgerPoolCredits {
  account: string;
  accounting_day: string;
  amount: bigint;
  asset: string;
}

export interface LedgerPoolDays {
  account: string;
  accounting_day: string;
  amount: bigint;
  asset: string;
}

export interface LedgerPoolDaySums {
  account: string | null;
  accounting_day: string | null;
  amount: bigint | null;
  asset: string | null;
}

export interface LedgerPoolParts {
  account: string;
  accounting_day: string;
  amount: bigint;
  asset: string;
  batch: string;
  paid: Generated<bigint>;
  part: number;
}

export interface LedgerPools {
  account: string;
  asset: string;
  balance: Generated<bigint>;
  reserved: Generated<bigint>;
}

export interface LedgerPoolSums {
  account: string | null;
  asset: string | null;
  balance: bigint | null;
  reserved: bigint | null;
}

export interface LedgerPostings {
  accounting_day: string | null;
  amount: bigint | null;
  asset: string | null;
  destination: string | null;
  kind: string | null;
  line: number | null;
  member_id: bigint | null;
  seq: bigint | null;
  source: string | null;
}

export interface LedgerShares {
  asset: "DIV" | "VC";
  held: Numeric;
  slot: number;
}

export interface LedgerSimulation {
  is_simulation: boolean;
}

export interface LedgerStanding {
  accounting_day: string | null;
  amount: bigint | null;
  asset: string | null;
  cause_id: string | null;
  cause_type: string | null;
  destination: string | null;
  idempotency_key: string | null;
  kind: string | null;
  line: number | null;
  member_id: bigint | null;
  seq: bigint | null;
  source: string | null;
}

export interface LedgerTransactions {
  accounting_day: string | null;
  cause_id: string | null;
  cause_type: string | null;
  content_digest: Buffer | null;
  idempotency_key: string | null;
  kind: string | null;
  member_id: bigint | null;
  posted_at: Timestamp | null;
  reverses_seq: bigint | null;
  seq: bigint | null;
}

export interface LegSums {
  leg_id: bigint;
  members_all: number;
  members_valid: number;
  node: number;
  period: number;
  volume_micros: bigint;
}

export interface ManagementSwitches {
  member_id: bigint;
  paused: boolean;
  switch_id: Generated<bigint>;
  switched_at: Timestamp;
}

export interface MemberConsents {
  member_id: bigint;
  nonce: string;
  signature: string;
  statement: string;
  used_at: Timestamp;
}

export interface MemberDayCaps {
  cap_id: Generated<bigint>;
  cap_micros: bigint | null;
  member_id: bigint;
  set_at: Timestamp;
  set_by: string;
}

export interface MemberDays {
  became_valid: Generated<bigint>;
  day: string;
  joined: Generated<bigint>;
}

export interface MemberDebts {
  asset: "USDT" | "AMC" | "RIF";
  changed_at: Timestamp;
  member_id: bigint;
  owed_micros: bigint;
  repayments: Generated<number>;
}

export interface MemberLabels {
  about_id: bigint;
  changed_at: Timestamp;
  label: string;
  member_id: bigint;
  pinned: boolean;
}

export interface MemberLevels {
  level: number;
  members: bigint;
}

export interface MemberNotes {
  member_id: bigint;
  note_id: Generated<bigint>;
  text: string;
  written_at: Timestamp;
  written_by: string;
}

export interface Members {
  address: string;
  freeze_reason: string | null;
  invested_micros: Generated<bigint>;
  invite_code: string;
  invited_no: number | null;
  invited_valid: Generated<number>;
  joined_at: Timestamp;
  level: Generated<number>;
  member_id: Generated<bigint>;
  section: "left" | "right" | null;
  sponsor_id: bigint | null;
  state: Generated<"active" | "deactivated">;
  valid_at: Timestamp | null;
}

export interface MemberStandings {
  carry_left_micros: bigint;
  carry_right_micros: bigint;
  level: number;
  manage_base_micros: bigint;
  member_id: bigint;
  release_micros: bigint;
}

export interface MemberVisits {
  member_id: bigint;
  seen_at: Timestamp;
  seen_seq: bigint;
}

export interface NoticeCounts {
  event: string;
  given_up: Generated<bigint>;
  mails: Generated<bigint>;
  notices: Generated<bigint>;
  pushes: Generated<bigint>;
}

export interface NoticeDeliveries {
  attempts: Generated<number>;
  bulk: Generated<boolean>;
  delivery_id: Generated<bigint>;
  email_id: bigint | null;
  next_at: Timestamp;
  notice_id: bigint;
  push_id: bigint | null;
}

export interface NoticeDevices {
  device_hash: Buffer;
  member_id: bigint;
  seen_at: Timestamp;
}

export interface NoticeEmails {
  address_hash: Buffer;
  code_expires_at: Timestamp | null;
  code_hash: Buffer | null;
  confirmed_at: Timestamp | null;
  created_at: Timestamp;
  email_id: Generated<bigint>;
  ended_at: Timestamp | null;
  member_id: bigint;
  sealed: Buffer;
  tries: Generated<number>;
}

export interface NoticeMembers {
  changed_at: Timestamp;
  locale: "en" | "ja" | "ko" | "zh-Hans";
  mail: string[];
  member_id: bigint;
  push: string[];
}

export interface NoticePushes {
  auth: Buffer;
  created_at: Timestamp;
  device: string | null;
  endpoint: string;
  endpoint_hash: Buffer;
  member_id: bigint;
  p256dh: Buffer;
  push_id: Generated<bigint>;
  session_hash: Buffer;
  taken_at: Timestamp | null;
}

export interface Notices {
  created_at: Timestamp;
  event: string;
  facts: Json;
  member_id: bigint;
  notice_id: Generated<bigint>;
  topic: string;
}

export interface NoticeSpreads {
  after_member_id: Generated<bigint>;
  created_at: Timestamp;
  done_at: Timestamp | null;
  ends_at: Timestamp | null;
  event: string;
  facts: Json;
  topic: string;
}

export interface Opening {
  backup: string | null;
  begun_at: Timestamp;
  opened_at: Timestamp | null;
  opened_by: string | null;
  prepared_by: string | null;
  singleton: Generated<boolean>;
}

export interface OrderDays {
  cancelled: Generated<bigint>;
  day: string;
  first_ordered: Generated<bigint>;
  ordered: Generated<bigint>;
  package_id: number;
}

export interface Orders {
  amc_price_micros: bigint;
  bank: string;
  cancel_reason: "member" | "expired" | null;
  cancelled_at: Timestamp | null;
  collected_at: Timestamp | null;
  created_at: Timestamp;
  discount_micros: bigint | null;
  discounted_amc_micros: bigint | null;
  discounted_usdt_micros: bigint | null;
  expires_at: Timestamp;
  full_amc_micros: bigint;
  full_usdt_micros: bigint;
  holds_rif: Generated<boolean>;
  level: number;
  member_id: bigint;
  order_id: Generated<bigint>;
  package_id: number;
  package_name: string;
  paid_at: Timestamp | null;
  paid_sequence: bigint | null;
  payer: string;
  price_micros: bigint;
  quoted_at: Timestamp | null;
  reported_at: Timestamp | null;
  rif_micros: bigint | null;
  rif_price_micros: bigint | null;
  seen_block: bigint | null;
  static_paid_micros: Generated<bigint>;
  status: Generated<"UnPaid" | "Processing" | "Paid" | "Cancelled">;
  tx_hash: string | null;
  unmatched_tx_hash: string | null;
  use_hash_rate: boolean;
}

export interface PackageCopies {
  package_id: number;
  paid: Generated<number>;
}

export interface Packages {
  package_id: number;
}

export interface Pauses {
  area: "sign_ups" | "orders" | "withdrawals" | "settlement" | "transfers" | "savings" | "exchange" | "fund";
  paused_at: Timestamp;
  paused_by: string;
  reason: string;
}

export interface Persons {
  joined_into: bigint | null;
  name: string;
  person_id: Generated<bigint>;
  recorded_at: Timestamp;
}

export interface PersonWallets {
  address: string;
  person_id: bigint;
  recorded_at: Timestamp;
}

export interface Placements {
  leg_id: bigint;
  member_id: bigint;
  parent_id: bigint | null;
  path: number[];
  position: number;
  side: "left" | "right";
}

export interface Plans {
  created_at: Timestamp;
  created_by: string;
  effective_day: string;
  plan: Json;
  version: Generated<bigint>;
}

export interface Prices {
  approved_by: string | null;
  asset: "AMC" | "RIF";
  observed_at: Timestamp | null;
  price_id: Generated<bigint>;
  price_micros: bigint;
  proposal_id: bigint | null;
  published_at: Timestamp;
  published_by: string;
  share_ppm: number | null;
  source: "operator" | "feed" | "oracle";
  source_name: string | null;
  valid_from: Timestamp;
}

export interface PriceSources {
  asset: "AMC" | "RIF";
  name: string;
  observed_at: Timestamp | null;
  outcome: "published" | "unchanged" | "waiting" | "refused" | null;
  price_micros: bigint | null;
  problem: "stale" | "incomplete" | "not_positive" | "out_of_range" | "unreadable" | "sequencer" | null;
  problem_at: Timestamp | null;
  received_at: Timestamp | null;
  refused_micros: bigint | null;
  source: "feed" | "oracle";
  waiting_at: Timestamp | null;
  waiting_micros: bigint | null;
}

export interface ProposalApprovals {
  address: string;
  approved_at: Timestamp;
  deadline: Timestamp | null;
  nonce: string | null;
  person: string;
  proposal_id: bigint;
  reason: string;
  signature: string;
}

export interface Proposals {
  applied_at: Timestamp | null;
  apply_after: Timestamp | null;
  approvals_needed: Generated<number>;
  content: string;
  decided_at: Timestamp | null;
  decided_by: string | null;
  decision_reason: string | null;
  delay_ms: bigint;
  digest: Buffer;
  expires_at: Timestamp;
  failure: string | null;
  kind: string;
  payees: Generated<string[]>;
  prepared_at: Timestamp;
  prepared_by: string;
  prepared_person: string;
  proposal_id: Generated<bigint>;
  reason: string;
  result: Json | null;
  signature: string | null;
  state: Generated<"Open" | "Approved" | "Applied" | "Refused" | "Withdrawn" | "Expired" | "Failed">;
  subject: string;
  worth_micros: Generated<bigint | null>;
}

export interface RateLimits {
  counted_at: Timestamp;
  ends_at: Timestamp;
  hits: number;
  key: string;
}

export interface RefundAllowances {
  allowance_id: Generated<bigint>;
  amount_micros: bigint;
  asset: "USDT" | "AMC";
  log_index: number;
  lost_at: Timestamp | null;
  member_id: bigint;
  released_at: Timestamp;
  tx_hash: string;
}

export interface RefundUses {
  allowance_id: bigint;
  amount_micros: bigint;
  member_id: bigint;
  withdrawal_id: bigint;
}

export interface RefusedAddresses {
  address: string;
  approved_by: string;
  changed_at: Timestamp;
  level: "may_leave" | "no_service";
  reason: string;
}

export interface RefusedCountries {
  approved_by: string;
  changed_at: Timestamp;
  country: string;
  level: "may_leave" | "no_service";
  reason: string;
}

export interface RevenueDeposits {
  amount_micros: bigint;
  asset: "USDT" | "AMC";
  deposit_id: string;
  deposited_at: Timestamp;
  depositor: string;
  document_hash: string;
  dust: Numeric;
  label: string;
  tx_hash: string;
}

export interface RewardBatches {
  amc_price_micros: bigint | null;
  amc_share_ppm: number;
  batch: string;
  class: "commission" | "pairing" | "management" | "static";
  coverage_ppm: number;
  day: string;
  paid_at: Timestamp;
  paid_micros: bigint;
  pool: "commission_pool" | "yield_pool";
  pool_amc_micros: bigint;
  pool_usdt_micros: bigint;
  reward_count: number;
  usdt_share_ppm: number;
  value_micros: bigint;
}

export interface RewardCoverage {
  class: "commission" | "pairing" | "management" | "static";
  day: string;
  paid_micros: bigint;
  value_micros: bigint;
}

export interface RewardDays {
  amc_micros: bigint;
  day: string;
  member_id: bigint;
  paid_micros: bigint;
  type: string;
  usdt_micros: bigint;
}

export interface Rewards {
  amc_micros: bigint;
  amc_share_ppm: number;
  base_micros: bigint;
  batch: string;
  coverage_ppm: number;
  created_at: Timestamp;
  day: string;
  flushed_micros: bigint;
  level: number;
  member_id: bigint;
  order_id: bigint | null;
  paid_micros: bigint;
  ratio_ppm: number;
  release_parts: number;
  reward_id: Generated<bigint>;
  source_member_id: bigint | null;
  type: "ReferralReward" | "TeamReward" | "PairingReward" | "ManagementReward" | "Interest";
  usdt_micros: bigint;
  usdt_share_ppm: number;
  value_micros: bigint;
}

export interface RewardTotals {
  amc_micros: bigint;
  member_id: bigint;
  paid_micros: bigint;
  type: string;
  usdt_micros: bigint;
}

export interface RewardUndone {
  amc_micros: bigint;
  amc_share_ppm: number;
  base_micros: bigint;
  batch: string;
  coverage_ppm: number;
  created_at: Timestamp;
  day: string;
  flushed_micros: bigint;
  level: number;
  member_id: bigint;
  order_id: bigint | null;
  paid_micros: bigint;
  ratio_ppm: number;
  release_parts: number;
  released_to: string | null;
  reward_id: bigint;
  source_member_id: bigint | null;
  type: string;
  undone_at: Timestamp;
  usdt_micros: bigint;
  usdt_share_ppm: number;
  value_micros: bigint;
}

export interface RiskFlags {
  flagged_at: Timestamp;
  flagged_by: string;
  member_id: bigint;
  reason: string;
}

export interface SalesDays {
  amc_micros: Numeric;
  base_micros: Numeric;
  day: string;
  package_id: number;
  paid: bigint;
  rif_micros: Numeric;
  usdt_micros: Numeric;
}

export interface SavedOnlySwitches {
  member_id: bigint;
  off_from: Timestamp | null;
  on_since: Timestamp;
}

export interface SavingsBatches {
  account_count: number;
  asset: "USDT" | "AMC";
  coverage_ppm: number;
  day: string;
  due_micros: bigint;
  fixed_at: Timestamp;
  paid_micros: bigint;
  pool_micros: bigint;
  rate_ppm: number;
}

export interface SavingsInterest {
  asset: string;
  day: string;
  due_micros: bigint;
  member_id: bigint;
  paid_micros: bigint;
  principal_micros: bigint;
}

export interface SavingsTransfers {
  amount_micros: bigint;
  arrived_at: Timestamp | null;
  arrives_at: Timestamp;
  asset: "USDT" | "AMC";
  created_at: Timestamp;
  day: string;
  direction: "in" | "out";
  member_id: bigint;
  transfer_id: Generated<bigint>;
  worth_micros: bigint | null;
}

export interface SentTransactions {
  found: Generated<"pending" | "confirming" | "failed" | "replaced">;
  found_block: bigint | null;
  kind: "approveUsdt" | "approveAmc" | "approveFund" | "revokeUsdt" | "revokeAmc" | "pay" | "payFund" | "claim" | "send";
  look_at: Generated<Timestamp>;
  member_id: bigint;
  nonce: bigint;
  outcome: "done" | "failed" | null;
  sent_at: Timestamp;
  subject_id: bigint | null;
  tx_hash: string;
}

export interface Sessions {
  address: string;
  created_at: Timestamp;
  device: string | null;
  expires_at: Timestamp;
  last_used_at: Timestamp;
  leaves_only: Generated<boolean>;
  member_id: bigint | null;
  revoked_at: Timestamp | null;
  session_id: Generated<bigint>;
  token_hash: Buffer;
}

export interface SettlementDays {
  amc_price_micros: bigint | null;
  day: string;
  fixed_at: Timestamp;
  settled_at: Timestamp | null;
  state: "fixed" | "staged" | "settled";
}

export interface SettlementDividends {
  amc_micros: bigint;
  div_micros: bigint;
  member_id: bigint;
  usdt_micros: bigint;
}

export interface SettlementInterest {
  asset: string;
  due_micros: bigint;
  member_id: bigint;
  paid_micros: bigint;
  principal_micros: bigint;
}

export interface SettlementMembers {
  carry_left_micros: bigint;
  carry_right_micros: bigint;
  level: number;
  manage_base_micros: bigint;
  member_id: bigint;
  release_micros: bigint;
  released_micros: bigint;
}

export interface SettlementRanges {
  day: string;
  first_member_id: bigint;
  last_member_id: bigint;
  posted_at: Timestamp | null;
  range_id: number;
}

export interface SettlementRewards {
  amc_micros: bigint;
  base_micros: bigint;
  class: string;
  flushed_micros: bigint;
  level: number;
  member_id: bigint;
  order_id: bigint;
  paid_micros: bigint;
  ratio_ppm: number;
  usdt_micros: bigint;
  value_micros: bigint;
}

export interface SettlementStart {
  first_day: string;
}

export interface SharedLinks {
  created_at: Timestamp;
  day: string | null;
  expires_at: Timestamp;
  kind: "proof" | "statement";
  member_id: bigint;
  revoked_at: Timestamp | null;
  share_id: Generated<bigint>;
  statement_id: bigint | null;
  token_hash: Buffer;
}

export interface SignInDays {
  day: string;
  visitors: bigint;
}

export interface SignInKey {
  key: Generated<Buffer>;
  singleton: Generated<boolean>;
}

export interface SignInNonces {
  expires_at: Timestamp;
  nonce: string;
}

export interface SignInVisits {
  address: string;
  day: string;
}

export interface SolvencyDays {
  bank: string;
  built_at: Timestamp;
  chain_id: bigint;
  day: string;
  format: number;
  fund_cash: bigint;
  fund_invested: bigint;
  held_amc: bigint;
  held_usdt: bigint;
  leaves: number;
  ledger_head: Buffer;
  members_amc: bigint;
  members_fund: bigint;
  members_usdt: bigint;
  operators_head: Buffer;
  other_amc: bigint;
  other_usdt: bigint;
  root: Buffer;
  salt_key_id: string;
  tree: Buffer;
}

export interface SolvencyGroups {
  day: string;
  first_hash: Buffer;
  group_no: number;
  leaves: Buffer;
}

export interface SolvencyMembers {
  block: bigint;
  day: string;
  entries: Buffer;
}

export interface SolvencyPublications {
  amc_liabilities: Numeric;
  bank: string;
  block_number: bigint;
  day: string;
  fund_cash: Numeric;
  is_final: boolean;
  ledger_head: Buffer;
  operators_head: Buffer;
  published_at: Timestamp;
  root: Buffer;
  tx_hash: string;
  usdt_liabilities: Numeric;
}

export interface SolvencySends {
  day: string;
  max_fee_wei: Numeric;
  nonce: bigint;
  send_id: Generated<bigint>;
  sent_at: Timestamp;
  tx_hash: string;
}

export interface SolvencyTops {
  day: string;
  tops: Buffer;
}

export interface StandingSavings {
  amount_micros: bigint;
  asset: "USDT" | "AMC";
  changed_at: Timestamp;
  consent_nonce: string | null;
  every: "day" | "week" | "month";
  last_day: string | null;
  last_outcome: "moved" | "short" | "unsigned" | null;
  member_id: bigint;
  next_day: string;
  on_day: number;
}

export interface StatementChunks {
  content: Buffer;
  position: number;
  statement_id: bigint;
}

export interface StatementFiles {
  chunks: number;
  digest: Buffer;
  entries: bigint;
  filename: string;
  size_bytes: bigint;
  statement_id: bigint;
}

export interface Statements {
  admin: string | null;
  attempts: Generated<number>;
  beat_at: Timestamp;
  customer_id: bigint | null;
  entries: bigint | null;
  entries_done: Generated<bigint>;
  expires_at: Timestamp | null;
  failure: string | null;
  finished_at: Timestamp | null;
  format: "csv" | "pdf";
  from_day: string;
  kind: "account" | "tax" | "trial_balance" | "journal" | "customer";
  locale: string;
  member_id: bigint | null;
  requested_at: Timestamp;
  statement_id: Generated<bigint>;
  step: Generated<"waiting" | "running" | "done" | "failed" | "cancelled">;
  to_day: string;
}

export interface SuspenseReleases {
  log_index: number;
  member_id: bigint;
  released_at: Timestamp;
  released_by: string;
  to_member_id: bigint;
  tx_hash: string;
}

export interface TermsAcceptances {
  accepted_at: Timestamp;
  address: string;
  member_id: bigint | null;
  message: string;
  sha256: Buffer;
  signature: Buffer;
  version: string;
}

export interface TermsTexts {
  created_at: Timestamp;
  sha256: Buffer;
  text: string;
  version: string;
}

export interface Transfers {
  amount_micros: bigint;
  asset: "USDT" | "AMC";
  completed_at: Timestamp | null;
  consent_nonce: string | null;
  counterpart_id: bigint;
  created_at: Timestamp;
  direction: "in" | "out";
  level: number;
  member_id: bigint;
  reasons: ArrayType<"large_amount" | "new_address" | "risk_flag">;
  recent_micros: bigint;
  review_reason: string | null;
  reviewed_at: Timestamp | null;
  reviewed_by: string | null;
  status: "Auditing" | "Success" | "Rejected" | "Cancelled";
  transfer_id: Generated<bigint>;
  worth_micros: bigint;
}

export interface UnapprovedExits {
  amount: string;
  announced_tx: string | null;
  bank: string;
  chain_product_id: string;
  destination: string;
  ended_tx: string | null;
  executable_at: Timestamp | null;
  kind: number;
  noted_at: Timestamp;
  onchain_id: string;
  reason: "unknown" | "wrong_terms" | "ended";
  state: "Announced" | "Executed" | "Cancelled" | "Undone";
  token: string;
}

export interface UnmatchedClaims {
  amount: Numeric;
  chain_withdrawal_id: Numeric;
  claimed_at: Timestamp;
  log_index: number;
  member_id: bigint;
  reason: "unknown_withdrawal" | "not_withdrawable" | "wrong_terms";
  to_address: string;
  token: string;
  tx_hash: string;
}

export interface UnmatchedPayments {
  amc_dust: Numeric;
  amc_micros: bigint;
  chain_order_id: Numeric;
  collected_at: Timestamp;
  log_index: number;
  member_id: bigint;
  paid_at: Timestamp;
  payer: string;
  reason: "unknown_order" | "closed_order" | "wrong_payer" | "wrong_amount" | "set_aside" | "price_changed" | "sale_stopped";
  tx_hash: string;
  usdt_dust: Numeric;
  usdt_micros: bigint;
}

export interface UnsignedMoves {
  member_id: bigint;
  move_id: bigint;
  moved_at: Timestamp;
  way: "conversion" | "fund_purchase" | "savings_in";
  worth_micros: bigint;
}

export interface VcLaunches {
  allocated_at: Timestamp | null;
  allocation_micros: bigint;
  ends_at: Timestamp;
  fixed_at: Timestamp | null;
  introduction: string;
  launch_id: Generated<bigint>;
  name: string;
  prepared_at: Timestamp;
  prepared_by: string;
  price_micros: bigint;
  reviewed_at: Timestamp | null;
  reviewed_by: string | null;
  starts_at: Timestamp;
  state: Generated<"Prepared" | "Rejected" | "Approved" | "Allocated">;
  subscribed_micros: Numeric | null;
}

export interface VcSubscriptions {
  allotted_at: Timestamp | null;
  created_at: Timestamp;
  launch_id: bigint;
  member_id: bigint;
  payments: number;
  returned_micros: bigint | null;
  spent_micros: bigint | null;
  units_micros: bigint | null;
  updated_at: Timestamp;
  vc_micros: bigint;
}

export interface WalletSends {
  amount_units: Numeric;
  asset: "ETH" | "USDT" | "AMC";
  block_at: Timestamp | null;
  block_number: bigint | null;
  by_contract: boolean;
  first_hash: string;
  look_at: Timestamp;
  member_id: bigint;
  nonce: bigint;
  send_id: Generated<bigint>;
  status: "Sent" | "Confirming" | "Success" | "Failed" | "Replaced" | "Lost";
  to_address: string;
  told_at: Timestamp;
  tx_hash: string;
  verified: Generated<boolean>;
}

export interface WebhookAttempts {
  attempt_id: Generated<bigint>;
  attempted_at: Timestamp;
  delivery_id: bigint;
  duration_ms: number;
  problem: string | null;
  status: number | null;
}

export interface WebhookDeliveries {
  attempts: Generated<number>;
  delivery_id: Generated<bigint>;
  endpoint_id: bigint;
  event_id: bigint;
  next_at: Timestamp;
  problem: "refused" | "timeout" | "unreachable" | "inactive" | null;
  state: Generated<"waiting" | "sending" | "delivered" | "failed">;
  status: number | null;
  taken_at: Timestamp | null;
}

export interface WebhookEndpoints {
  active: boolean;
  approved_by: string;
  changed_at: Timestamp;
  endpoint_id: Generated<bigint>;
  events: string[];
  name: string;
  secret_shown_at: Timestamp | null;
  secret_shown_to: string | null;
  url: string;
}

export interface WebhookEvents {
  data: Json;
  event_id: Generated<bigint>;
  kind: string;
  occurred_at: Timestamp;
}

export interface Withdrawals {
  amount_micros: bigint;
  asset: "USDT" | "AMC";
  bank: string | null;
  booked_block: bigint;
  booked_block_at: Timestamp;
  cancelled_at: Timestamp | null;
  claim_expires_at: Timestamp | null;
  claimed_at: Timestamp | null;
  completed_at: Timestamp | null;
  consent_nonce: string | null;
  created_at: Timestamp;
  day: string;
  fee_micros: bigint;
  level: number;
  member_id: bigint;
  reasons: ArrayType<"large_amount" | "new_address" | "risk_flag">;
  recent_micros: bigint;
  refund_micros: bigint;
  review_reason: string | null;
  reviewed_at: Timestamp | null;
  reviewed_by: string | null;
  seen_block: bigint | null;
  signer_refusal: string | null;
  signer_refused_at: Timestamp | null;
  status: "Auditing" | "Withdrawable" | "Success" | "Rejected" | "Cancelled";
  to_address: string;
  tx_hash: string | null;
  withdrawal_id: Generated<bigint>;
  worth_micros: bigint;
}

export interface DB {
  address_book: AddressBook;
  address_notes: AddressNotes;
  admin_actions: AdminActions;
  admin_seals: AdminSeals;
  admins: Admins;
  alarm_messages: AlarmMessages;
  alarms: Alarms;
  announcement_dismissals: AnnouncementDismissals;
  announcements: Announcements;
  attestations: Attestations;
  bank_alarms: BankAlarms;
  bank_caps: BankCaps;
  bank_changes: BankChanges;
  banks: Banks;
  chain_blocks: ChainBlocks;
  chain_cursors: ChainCursors;
  chain_events: ChainEvents;
  chain_member_reads: ChainMemberReads;
  chain_missed: ChainMissed;
  chain_nodes: ChainNodes;
  chain_recoveries: ChainRecoveries;
  chain_recovery_events: ChainRecoveryEvents;
  chain_set_aside: ChainSetAside;
  chain_undone: ChainUndone;
  conversions: Conversions;
  decision_statements: DecisionStatements;
  deposit_looks: DepositLooks;
  deposit_uses: DepositUses;
  display_rates: DisplayRates;
  dividend_days: DividendDays;
  dividends: Dividends;
  earnings_days: EarningsDays;
  earnings_windows: EarningsWindows;
  erasures: Erasures;
  exchange_terms: ExchangeTerms;
  exit_destinations: ExitDestinations;
  exits: Exits;
  fund_bill_runs: FundBillRuns;
  fund_bills: FundBills;
  fund_documents: FundDocuments;
  fund_income: FundIncome;
  fund_investments: FundInvestments;
  fund_navs: FundNavs;
  fund_orders: FundOrders;
  fund_products: FundProducts;
  fund_redemption_lots: FundRedemptionLots;
  fund_redemptions: FundRedemptions;
  fund_valuation_lines: FundValuationLines;
  fund_valuations: FundValuations;
  guard_audits: GuardAudits;
  guard_causes: GuardCauses;
  guard_differences: GuardDifferences;
  guard_start: GuardStart;
  hash_power_grants: HashPowerGrants;
  idempotency_keys: IdempotencyKeys;
  jobs: Jobs;
  ledger_balances: LedgerBalances;
  ledger_chain_days: LedgerChainDays;
  ledger_chain_members: LedgerChainMembers;
  ledger_entries: LedgerEntries;
  ledger_flow_days: LedgerFlowDays;
  ledger_flow_deltas: LedgerFlowDeltas;
  ledger_flow_sums: LedgerFlowSums;
  ledger_flows: LedgerFlows;
  ledger_guarded: LedgerGuarded;
  ledger_heads: LedgerHeads;
  ledger_pool_credits: LedgerPoolCredits;
  ledger_pool_day_sums: LedgerPoolDaySums;
  ledger_pool_days: LedgerPoolDays;
  ledger_pool_parts: LedgerPoolParts;
  ledger_pool_sums: LedgerPoolSums;
  ledger_pools: LedgerPools;
  ledger_postings: LedgerPostings;
  ledger_shares: LedgerShares;
  ledger_simulation: LedgerSimulation;
  ledger_standing: LedgerStanding;
  ledger_transactions: LedgerTransactions;
  leg_sums: LegSums;
  management_switches: ManagementSwitches;
  member_consents: MemberConsents;
  member_day_caps: MemberDayCaps;
  member_days: MemberDays;
  member_debts: MemberDebts;
  member_labels: MemberLabels;
  member_levels: MemberLevels;
  member_notes: MemberNotes;
  member_standings: MemberStandings;
  member_visits: MemberVisits;
  members: Members;
  notice_counts: NoticeCounts;
  notice_deliveries: NoticeDeliveries;
  notice_devices: NoticeDevices;
  notice_emails: NoticeEmails;
  notice_members: NoticeMembers;
  notice_pushes: NoticePushes;
  notice_spreads: NoticeSpreads;
  notices: Notices;
  opening: Opening;
  order_days: OrderDays;
  orders: Orders;
  package_copies: PackageCopies;
  packages: Packages;
  pauses: Pauses;
  person_wallets: PersonWallets;
  persons: Persons;
  placements: Placements;
  plans: Plans;
  price_sources: PriceSources;
  prices: Prices;
  proposal_approvals: ProposalApprovals;
  proposals: Proposals;
  rate_limits: RateLimits;
  refund_allowances: RefundAllowances;
  refund_uses: RefundUses;
  refused_addresses: RefusedAddresses;
  refused_countries: RefusedCountries;
  revenue_deposits: RevenueDeposits;
  reward_batches: RewardBatches;
  reward_coverage: RewardCoverage;
  reward_days: RewardDays;
  reward_totals: RewardTotals;
  reward_undone: RewardUndone;
  rewards: Rewards;
  risk_flags: RiskFlags;
  sales_days: SalesDays;
  saved_only_switches: SavedOnlySwitches;
  savings_batches: SavingsBatches;
  savings_interest: SavingsInterest;
  savings_transfers: SavingsTransfers;
  sent_transactions: SentTransactions;
  sessions: Sessions;
  settlement_days: SettlementDays;
  settlement_dividends: SettlementDividends;
  settlement_interest: SettlementInterest;
  settlement_members: SettlementMembers;
  settlement_ranges: SettlementRanges;
  settlement_rewards: SettlementRewards;
  settlement_start: SettlementStart;
  shared_links: SharedLinks;
  sign_in_days: SignInDays;
  sign_in_key: SignInKey;
  sign_in_nonces: SignInNonces;
  sign_in_visits: SignInVisits;
  solvency_days: SolvencyDays;
  solvency_groups: SolvencyGroups;
  solvency_members: SolvencyMembers;
  solvency_publications: SolvencyPublications;
  solvency_sends: SolvencySends;
  solvency_tops: SolvencyTops;
  standing_savings: StandingSavings;
  statement_chunks: StatementChunks;
  statement_files: StatementFiles;
  statements: Statements;
  suspense_releases: SuspenseReleases;
  terms_acceptances: TermsAcceptances;
  terms_texts: TermsTexts;
  transfers: Transfers;
  unapproved_exits: UnapprovedExits;
  unmatched_claims: UnmatchedClaims;
  unmatched_payments: UnmatchedPayments;
  unsigned_moves: UnsignedMoves;
  vc_launches: VcLaunches;
  vc_subscriptions: VcSubscriptions;
  wallet_sends: WalletSends;
  webhook_attempts: WebhookAttempts;
  webhook_deliveries: WebhookDeliveries;
  webhook_endpoints: WebhookEndpoints;
  webhook_events: WebhookEvents;
  withdrawals: Withdrawals;
}
