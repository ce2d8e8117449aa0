import { stringify } from 'csv-stringify/sync'

/** Tells spreadsheets that the text is UTF-8; the first character of a file. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** The wide signs too: a spreadsheet in Japanese or Chinese takes them for the plain ones. */
const FORMULA = /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/** Returns rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe in front; a number does not. */
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
