import { stringify } from 'csv-stringify/sync'

/** Marks the text as UTF-8 for spreadsheets; the first character of a file. */
export const BYTE_ORDER_MARK = '\uFEFF'

/** Includes the full-width signs, which spreadsheets in Japanese or Chinese treat like the plain ones. */
const FORMULA = /^(?:[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/
/** A formula after a character at which some programs begin another cell or row, whatever is quoted around it. */
const LATER_FORMULA = /[;|\t\r\n](?=[\s"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g
const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/

/**
 * Returns rows as CSV (RFC 4180). A part of a text that a spreadsheet would run as a formula, also one that splits
 * at `;`, `|` or tabs, is prefixed with an apostrophe; a number is not.
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
  return NUMBER.test(text) ? text : text.replace(LATER_FORMULA, "$&'").replace(FORMULA, "'$&")
}
