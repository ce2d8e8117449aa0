import { formatMicros, parseMicros } from '@rif/rules'

/** The decimal separator of the browser's language. */
export function decimalSeparator(language: string): '.' | ',' {
  const part = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')
  return part?.value === ',' ? ',' : '.'
}

const MAX_DECIMALS = 6

/**
 * The remark on a text that is not a plain number: `dropped`, characters around the number were ignored;
 * `notNumber`, it contains no number, or other characters are inside it, so nothing is accepted; `cut`,
 * decimals beyond the sixth were ignored.
 */
export type AmountRemark = 'dropped' | 'notNumber' | 'cut'

export interface ReadAmount {
  /** A plain decimal ("1234.5"), or null if the text is refused and the previous value stays. */
  value: string | null
  remark: AmountRemark | null
}

/** Digits other than 0-9 that normalising keeps: the Arabic, Indian and similar ones. */
const OTHER_DIGITS = /\p{Nd}/gu
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const zero = ZEROS.find((one) => code >= one && code < one + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** Converts full-width and other digits, spaces, apostrophes and the Arabic separators to plain ones. */
function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .replace(OTHER_DIGITS, plainDigit)
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\u066b/g, '.')
    .replace(/(?<=\d)[\s\u066c'’_](?=\d)/g, '')
    .trim()
}

/**
 * Reads a plain decimal from typed or pasted text: thousands separators and `unit` are ignored silently,
 * other characters around the number with a remark, and inside it they make it invalid ("1e5" is not 15). Of
 * two kinds of separator the last is the decimal one; a lone separator followed by exactly three digits is
 * read as `decimal` says; repeated, it separates thousands.
 */
export function readAmountInput(text: string, decimal: '.' | ',', unit = ''): ReadAmount {
  const normal = normalise(text)
  if (normal === '') return { value: '', remark: null }
  const parts = /^([^0-9.,-]*)(-?[0-9.,]*)([^0-9]*)$/.exec(normal)
  const number = parts?.[2]?.replace(/[.,]+$/, (end) => end[0] ?? '') ?? ''
  if (parts === null || (/^[-.,]*$/.test(number) && parts[1] + (parts[3] ?? '') !== ''))
    return { value: null, remark: 'notNumber' }
  const around = `${parts[1]}${parts[3]}`
    .replace(/[.,]/g, '')
    .replace(/\p{Sc}/gu, '')
    .trim()
  const isClean = around === '' || around.toLowerCase() === unit.toLowerCase()
  const { value, isCut } = plainDecimal(number, decimal)
  return { value, remark: isClean ? (isCut ? 'cut' : null) : 'dropped' }
}

function plainDecimal(number: string, decimal: '.' | ','): { value: string; isCut: boolean } {
  const at = decimalAt(number, decimal)
  const digits = (part: string) => part.replace(/[.,]/g, '')
  if (at < 0) return { value: trimZeros(digits(number)), isCut: false }
  const fraction = digits(number.slice(at + 1))
  const whole = trimZeros(digits(number.slice(0, at)))
  return {
    value: `${whole === '' || whole === '-' ? `${whole}0` : whole}.${fraction.slice(0, MAX_DECIMALS)}`,
    isCut: /[1-9]/.test(fraction.slice(MAX_DECIMALS)),
  }
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

/** Returns a wire amount in the form of an amount field: without trailing zeros. */
export const amountText = (amount: string) => formatMicros(parseMicros(amount)).replace(/\.?0+$/, '')

/** Returns the wire amount of a read input, or null if it is invalid or below zero. */
export function toValue(input: string): string | null {
  if (!/^[0-9]{1,13}(\.[0-9]{0,6})?$/.test(input)) return null
  return formatMicros(parseMicros(input.replace(/\.$/, '')))
}

/** Returns the wire amount of a read input, or null if it is invalid or not above zero. */
export function toAmount(input: string): string | null {
  const value = toValue(input)
  return value !== null && parseMicros(value) > 0n ? value : null
}

/**
 * Returns the excess of a read input over a wire amount; null if there is none, or if it is not an amount.
 */
export function excessOf(input: string, most: string): string | null {
  const value = toValue(input)
  if (value === null) return null
  const by = parseMicros(value) - parseMicros(most)
  return by > 0n ? formatMicros(by) : null
}

/** Returns a wire amount less a smaller one, as a wire amount. */
export const restOf = (most: string, leaves: string): string =>
  formatMicros(parseMicros(most) - parseMicros(leaves))
