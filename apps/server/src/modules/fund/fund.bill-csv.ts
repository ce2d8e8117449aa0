import type { FundBill, FundBillLine } from '@rif/api-schema'

/** The columns, named as in the API: for programs, so in no language of people. */
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

/** A bill as CSV (RFC 4180), in UTF-8 with the mark that spreadsheets look for: a row per product, then the totals. */
export function billCsv(bill: FundBill): string {
  const rows = [
    ['month', ...COLUMNS, 'income', 'income_moved'],
    ...bill.lines.map((line) => [bill.month, ...COLUMNS.map((column) => line[column] ?? ''), '', '']),
    [bill.month, ...COLUMNS.map((column) => totalOf(bill, column)), bill.income, bill.income_moved],
  ]
  return `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function totalOf(bill: FundBill, column: (typeof COLUMNS)[number]): string {
  if (column === 'product_name') return 'TOTAL'
  return column in bill ? String(bill[column as keyof FundBill]) : ''
}

/** A cell; a text that a spreadsheet would take for a formula gets a quote in front, a number stays as it is. */
function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-?[0-9.]+$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
