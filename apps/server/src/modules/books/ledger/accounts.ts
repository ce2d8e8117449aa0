import type { Asset, MemberAccount, OperatorAccount } from '@rif/rules'

/**
 * The asset and account at each position of `ledger_heads.balances`; `ledger_slots()` in the database is the
 * same list.
 */
export const LEDGER_SLOTS: readonly (readonly [asset: Asset, account: MemberAccount])[] = [
  ['USDT', 'available'],
  ['USDT', 'locked'],
  ['USDT', 'withdrawing'],
  ['USDT', 'savings'],
  ['USDT', 'savings_leaving'],
  ['USDT', 'fund_income'],
  ['AMC', 'available'],
  ['AMC', 'locked'],
  ['AMC', 'withdrawing'],
  ['AMC', 'savings'],
  ['AMC', 'savings_leaving'],
  ['RIF', 'available'],
  ['RIF', 'locked'],
  ['VC', 'available'],
  ['VC', 'locked'],
  ['DIV', 'available'],
]

/** The operator accounts that may be spent; each has a row to reserve money from. Rules, section 2. */
export const POOL_ACCOUNTS = [
  'commission_pool',
  'yield_pool',
  'savings_pool',
  'dividend_pool',
  'suspense',
  'exit_hold',
] as const

/** The custody of a fund product: its cash. */
export type CustodyAccount = `fund_custody:${bigint}`
export type PoolAccount = (typeof POOL_ACCOUNTS)[number] | CustodyAccount

/** Returns the account of a product's custody. */
export function custodyAccount(productId: bigint): CustodyAccount {
  return `fund_custody:${productId}`
}

/**
 * The accounts. `clearing` connects the two halves of a movement between members and nets to zero in every
 * transaction. `shortfall` is negative by the amount that the operator still has to cover (decision 22).
 * `exit_hold` holds the amounts set aside for announced treasury payouts.
 */
export type LedgerAccount =
  | MemberAccount
  | Exclude<OperatorAccount, 'fund_custody'>
  | CustodyAccount
  | 'clearing'
  | 'shortfall'
  | 'exit_hold'

/** Reports whether an account is a pool, which has its own row to reserve money from. */
export function isPoolAccount(account: LedgerAccount): account is PoolAccount {
  return account.startsWith('fund_custody:') || (POOL_ACCOUNTS as readonly string[]).includes(account)
}

/** The kinds of transaction. The database's flow table (view `ledger_flows`) lists the movements of each. */
export const TRANSACTION_KINDS = [
  'order_payment',
  'order_discount_hold',
  'order_discount_release',
  'order_discount_spend',
  'unmatched_payment',
  'suspense_release',
  'commission',
  'pairing',
  'management',
  'static',
  'release',
  'withdrawal_request',
  'withdrawal_return',
  'withdrawal_paid',
  'claim_set_aside',
  'attested_revenue',
  'fund_purchase',
  'fund_redemption',
  'fund_remainder',
  'fund_invest',
  'fund_divest',
  'exit_hold',
  'exit_release',
  'treasury_payout',
  'fund_income',
  'fund_income_transfer',
  'grant',
  'transfer',
  'transfer_hold',
  'transfer_release',
  'savings_in',
  'savings_out',
  'savings_arrival',
  'savings_interest',
  'hash_power_purchase',
  'exchange',
  'dividend',
  'vc_subscription',
  'vc_allocation',
  'reversal_advance',
  'payment_made_good',
  'debt_repayment',
  'shortfall_cover',
] as const
export type TransactionKind = (typeof TRANSACTION_KINDS)[number]

/** Kinds of transactions that only the ledger records, so that a reversal leaves no other record behind. */
export const REVERSIBLE_KINDS: readonly string[] = [
  'grant',
  'transfer',
  'attested_revenue',
] satisfies TransactionKind[]

/** A movement of money in the books of a member, in micro-units. */
export interface LedgerLine {
  readonly memberId: bigint
  readonly asset: Asset
  readonly source: LedgerAccount
  readonly destination: LedgerAccount
  readonly amountMicros: bigint
}
