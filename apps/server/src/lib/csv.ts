import { stringify } from 'csv-stringify/sync'

/** Marks the text as UTF-8 for spreadsheets; the first character of a file. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Includes the full-width signs, which spreadsheets in Japanese or Chinese treat like the plain ones. */
const FORMULA = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/**
 * Returns rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe; a number is not.
 */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  // The library's own guard against formulas would also change negative amounts, which are decimal strings here.
  return stringify([...rows], {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    cast: { string: withoutFormula },
  })
}

function withoutFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
