import { formatMicros, parseMicros } from '@rif/rules'

/** The decimal separator that the browser's own language writes. */
export function decimalSeparator(language: string): '.' | ',' {
  const part = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')
  return part?.value === ',' ? ',' : '.'
}

const MAX_DECIMALS = 6

/**
 * Makes a plain decimal ("1234.5") of what was typed or pasted: units, spaces and thousands separators go, full-width
 * digits become plain ones, and either separator is understood. Of two kinds of separator the last is the decimal
 * one; a lone separator followed by exactly three digits is read as `decimal` says; repeated, it separates thousands.
 */
export function cleanAmountInput(text: string, decimal: '.' | ','): string {
  // A minus must not vanish: "-5" is refused by the form, not paid as 5.
  const plain = text
    .normalize('NFKC')
    .replace(/[^0-9.,\-−]/g, '')
    .replace(/−/g, '-')
    .replace(/[.,]+$/, (end) => end[0] ?? '')
  const at = decimalAt(plain, decimal)
  const digits = (part: string) => part.replace(/[.,]/g, '')
  if (at < 0) return trimZeros(digits(plain))
  const fraction = digits(plain.slice(at + 1)).slice(0, MAX_DECIMALS)
  return `${trimZeros(digits(plain.slice(0, at))) || '0'}.${fraction}`
}

function decimalAt(text: string, decimal: '.' | ','): number {
  const dots = text.split('.').length - 1
  const commas = text.split(',').length - 1
  if (dots === 0 && commas === 0) return -1
  if (dots > 0 && commas > 0) {
    const last = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
    return (text[last] === '.' ? dots : commas) === 1 ? last : -1
  }
  if (dots + commas > 1) return -1
  const at = Math.max(text.indexOf('.'), text.indexOf(','))
  const isThousands = text[at] !== decimal && text.length - at - 1 === 3 && at > 0
  return isThousands ? -1 : at
}

const trimZeros = (digits: string) => digits.replace(/^(-?)0+(?=[0-9])/, '$1')

/** The wire amount for a cleaned input, or null while it is none or not above zero. */
export function toAmount(input: string): string | null {
  if (!/^[0-9]{1,13}(\.[0-9]{0,6})?$/.test(input)) return null
  const micros = parseMicros(input.replace(/\.$/, ''))
  return micros > 0n ? formatMicros(micros) : null
}
