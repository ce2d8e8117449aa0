import type { MemberAccount, OperatorAccount } from '@rif/rules'

/** Operator money that may be spent: each has a row of its own to reserve it from. Rules, section 2. */
export const POOL_ACCOUNTS = [
  'commission_pool',
  'yield_pool',
  'savings_pool',
  'dividend_pool',
  'suspense',
] as const
export type PoolAccount = (typeof POOL_ACCOUNTS)[number]

/** `clearing` is where the two halves of a movement between members meet: it nets to zero in every transaction. */
export type LedgerAccount = MemberAccount | Exclude<OperatorAccount, 'fund_custody'> | 'clearing'

/** The kinds of transaction. What each may move is the database's flow table (view `ledger_flows`). */
export const TRANSACTION_KINDS = [
  'order_payment',
  'order_discount_hold',
  'order_discount_release',
  'order_discount_spend',
  'unmatched_payment',
  'commission',
  'pairing',
  'management',
  'static',
  'release',
  'withdrawal_request',
  'withdrawal_return',
  'withdrawal_paid',
  'attested_revenue',
  'grant',
  'transfer',
  'savings_in',
  'savings_out',
  'savings_arrival',
  'savings_interest',
  'hash_power_purchase',
  'exchange',
  'dividend',
  'vc_subscription',
  'vc_allocation',
] as const
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]

/** Whose books hold the operator's movements that no member takes part in (attested revenue). No member has this id. */
export const OPERATOR_MEMBER_ID = 0n
