import type { FundBill, FundBillLine } from '@rif/api-schema'
import { BYTE_ORDER_MARK, csvOf } from '../../../lib/csv.ts'

/** The columns, named as in the API because programs read them. */
const COLUMNS = [
  'product_id',
  'product_name',
  'opening_units',
  'opening_nav',
  'opening_value',
  'purchased_units',
  'purchased_value',
  'subscription_fees',
  'redeemed_units',
  'redeemed_value',
  'redemption_fees',
  'management_fees',
  'closing_units',
  'closing_nav',
  'closing_value',
  'profit',
] as const satisfies readonly (keyof FundBillLine)[]

/** Returns a bill as CSV in UTF-8 with a byte order mark: a row per product, then the totals. */
export function billCsv(bill: FundBill): string {
  const rows = [
    ['month', ...COLUMNS, 'income', 'income_moved'],
    ...bill.lines.map((line) => [bill.month, ...COLUMNS.map((column) => line[column] ?? ''), '', '']),
    [bill.month, ...COLUMNS.map((column) => totalOf(bill, column)), bill.income, bill.income_moved],
  ]
  return BYTE_ORDER_MARK + csvOf(rows)
}

function totalOf(bill: FundBill, column: (typeof COLUMNS)[number]): string {
  if (column === 'product_name') return 'TOTAL'
  return column in bill ? String(bill[column as keyof FundBill]) : ''
}
