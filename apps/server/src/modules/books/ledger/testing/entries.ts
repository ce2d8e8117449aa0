import type { Asset } from '@rif/rules'
import type { TransactionKind } from '../accounts.ts'
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

/**
 * The flow table of the rules (sections 2 to 9; custodies without products): assets, source and destination.
 * It must equal the database's.
 */
export const FLOWS: Readonly<Record<TransactionKind, readonly string[]>> = {
  order_payment: ['USDT,AMC external>commission_pool', 'USDT,AMC external>revenue'],
  order_discount_hold: ['RIF available>locked'],
  order_discount_release: ['RIF locked>available'],
  order_discount_spend: ['RIF locked>revenue'],
  unmatched_payment: ['USDT,AMC external>suspense'],
  suspense_release: [
    'USDT,AMC suspense>available',
    'USDT,AMC suspense>clearing',
    'USDT,AMC clearing>available',
  ],
  commission: ['USDT commission_pool>available', 'AMC commission_pool>locked'],
  pairing: ['USDT commission_pool>available', 'AMC commission_pool>locked'],
  management: ['USDT commission_pool>available', 'AMC commission_pool>locked'],
  static: ['USDT yield_pool>available', 'AMC yield_pool>locked'],
  release: ['AMC locked>available'],
  withdrawal_request: ['USDT,AMC available>withdrawing'],
  withdrawal_return: ['USDT,AMC withdrawing>available'],
  withdrawal_paid: ['USDT,AMC withdrawing>external', 'USDT,AMC withdrawing>fees'],
  claim_set_aside: ['USDT,AMC withdrawing>external', 'USDT,AMC withdrawing>fees'],
  attested_revenue: [
    'USDT,AMC external>yield_pool',
    'USDT,AMC external>savings_pool',
    'USDT,AMC external>dividend_pool',
  ],
  fund_purchase: [
    'USDT available>fund_custody',
    'USDT available>fees',
    'USDT external>fund_custody',
    'USDT external>fees',
  ],
  fund_redemption: ['USDT fund_custody>available', 'USDT fund_custody>fees'],
  fund_remainder: ['USDT fund_custody>revenue'],
  fund_invest: ['USDT fund_custody>external'],
  fund_divest: ['USDT external>fund_custody'],
  exit_hold: ['USDT,AMC revenue>exit_hold', 'USDT,AMC fees>exit_hold'],
  exit_release: ['USDT,AMC exit_hold>revenue', 'USDT,AMC exit_hold>fees'],
  treasury_payout: ['USDT,AMC exit_hold>external', 'USDT,AMC revenue>external', 'USDT,AMC fees>external'],
  fund_income: ['USDT fees>fund_income'],
  fund_income_transfer: ['USDT fund_income>available'],
  grant: ['RIF,USDT,AMC,VC,DIV external>available'],
  transfer: ['USDT,AMC available>clearing', 'USDT,AMC clearing>available'],
  transfer_hold: ['USDT,AMC available>locked'],
  transfer_release: ['USDT,AMC locked>available'],
  savings_in: ['USDT,AMC available>savings'],
  savings_out: ['USDT,AMC savings>savings_leaving'],
  savings_arrival: ['USDT,AMC savings_leaving>available'],
  savings_interest: ['USDT,AMC savings_pool>savings'],
  hash_power_purchase: ['AMC available>revenue', 'RIF external>available'],
  exchange: ['RIF available>revenue', 'VC,DIV external>available'],
  dividend: ['USDT,AMC dividend_pool>available'],
  vc_subscription: ['VC available>locked'],
  vc_allocation: ['VC locked>revenue', 'VC locked>available'],
  reversal_advance: [
    'USDT,RIF shortfall>available',
    'AMC shortfall>locked',
    'USDT,AMC shortfall>commission_pool',
    'USDT shortfall>fund_custody',
  ],
  payment_made_good: ['USDT,AMC shortfall>external'],
  debt_repayment: ['USDT,AMC,RIF available>shortfall'],
  shortfall_cover: [
    'USDT,AMC revenue>shortfall',
    'USDT,AMC fees>shortfall',
    'USDT,AMC shortfall>revenue',
    'USDT,AMC shortfall>fees',
  ],
}

/** The flow table as rows of kind, asset, source and destination. */
export const FLOW_ROWS = Object.entries(FLOWS).flatMap(([kind, flows]) =>
  flows.flatMap((flow) => {
    const [assets, accounts] = flow.split(' ') as [string, string]
    const [source, destination] = accounts.split('>') as [string, string]
    return assets.split(',').map((asset) => ({ kind, asset, source, destination }))
  }),
)
