import type { Asset } from '@rif/rules'
import type { TransactionKind } from '../ledger.accounts.ts'
import type { JournalEntry, LedgerLine } from '../ledger.service.ts'

export const AT = new Date('2026-01-05T10:00:00Z')
export const DAY = '2026-01-05'

/** Creates a line of a member, in USDT by default: `line(1n, 'external>available', 5n)`. */
export function line(
  memberId: bigint,
  flow: string,
  amountMicros: bigint,
  asset: Asset = 'USDT',
): LedgerLine {
  const [source, destination] = flow.split('>') as [LedgerLine['source'], LedgerLine['destination']]
  return { memberId, asset, source, destination, amountMicros }
}

/** Creates a transaction of the fixed test day. */
export function entry(key: string, kind: TransactionKind, ...lines: LedgerLine[]): JournalEntry {
  return { key, kind, cause: { type: 'test', id: '1' }, accountingDay: DAY, at: AT, lines }
}

export const grant = (key: string, memberId: bigint, amountMicros: bigint): JournalEntry =>
  entry(key, 'grant', line(memberId, 'external>available', amountMicros))

export const transfer = (key: string, from: bigint, to: bigint, amountMicros: bigint): JournalEntry =>
  entry(
    key,
    'transfer',
    line(from, 'available>clearing', amountMicros),
    line(to, 'clearing>available', amountMicros),
  )

/** The flow table of the rules (sections 2 to 9; a custody without its product). The database's must be equal. */
export const FLOWS: Readonly<Record<TransactionKind, readonly string[]>> = {
  order_payment: ['external>commission_pool', 'external>revenue'],
  order_discount_hold: ['available>locked'],
  order_discount_release: ['locked>available'],
  order_discount_spend: ['locked>revenue'],
  unmatched_payment: ['external>suspense'],
  suspense_release: ['suspense>available', 'suspense>clearing', 'clearing>available'],
  commission: ['commission_pool>available', 'commission_pool>locked'],
  pairing: ['commission_pool>available', 'commission_pool>locked'],
  management: ['commission_pool>available', 'commission_pool>locked'],
  static: ['yield_pool>available', 'yield_pool>locked'],
  release: ['locked>available'],
  withdrawal_request: ['available>withdrawing'],
  withdrawal_return: ['withdrawing>available'],
  withdrawal_paid: ['withdrawing>external', 'withdrawing>fees'],
  attested_revenue: ['external>yield_pool', 'external>savings_pool', 'external>dividend_pool'],
  attested_proceeds: ['external>fund_custody:proceeds'],
  fund_purchase: [
    ...['available>fund_custody:principal', 'available>fees'],
    ...['external>fund_custody:principal', 'external>fees'],
  ],
  fund_redemption: [
    ...['fund_custody:principal>available', 'fund_custody:principal>fees'],
    ...['fund_custody:proceeds>available', 'fund_custody:proceeds>fees'],
    'fund_custody:principal>fund_custody:proceeds',
  ],
  fund_income: ['fees>fund_income'],
  fund_income_transfer: ['fund_income>available'],
  grant: ['external>available'],
  transfer: ['available>clearing', 'clearing>available'],
  transfer_hold: ['available>locked'],
  transfer_release: ['locked>available'],
  savings_in: ['available>savings'],
  savings_out: ['savings>savings_leaving'],
  savings_arrival: ['savings_leaving>available'],
  savings_interest: ['savings_pool>savings'],
  hash_power_purchase: ['available>revenue', 'external>available'],
  exchange: ['available>revenue', 'external>available'],
  dividend: ['dividend_pool>available'],
  vc_subscription: ['available>locked'],
  vc_allocation: ['locked>revenue', 'locked>available'],
  reversal_advance: ['shortfall>available', 'shortfall>locked', 'shortfall>commission_pool'],
  payment_made_good: ['shortfall>external'],
  debt_repayment: ['available>shortfall'],
  shortfall_cover: ['revenue>shortfall', 'fees>shortfall', 'shortfall>revenue', 'shortfall>fees'],
}
