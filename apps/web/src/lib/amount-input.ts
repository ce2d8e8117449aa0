import { formatMicros, parseMicros } from '@rif/rules'
import { type NumberStyle, styleOf, writeDecimal } from './number-style.ts'

const MAX_DECIMALS = 6

/**
 * The reason why a text is refused: `notNumber`, it contains other characters; `unit`, another unit than the
 * field's; `lone`, a single separator that could be of thousands or decimals; `separator`, separators that are
 * not in the form of the language; `decimals`, more than the field takes.
 */
export type Refusal = 'notNumber' | 'unit' | 'lone' | 'separator' | 'decimals'

export interface RefusedAmount {
  readonly value?: undefined
  readonly refusal: Refusal
  /** Plain decimals that the text may stand for, if it is `lone`. */
  readonly either?: readonly [whole: string, part: string]
}

/** `value` is a plain decimal without needless zeros ("1234.5"), or empty for an empty text. */
export type ReadAmount = { readonly value: string; readonly refusal?: undefined } | RefusedAmount

interface ReadOptions {
  /** The asset's symbol, which may stand before or behind the number. */
  readonly unit?: string
  readonly decimals?: number
}

/** Zeros of digits that keyboards type whatever the language of the app. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]

function plainDigit(digit: string): string {
  const code = digit.codePointAt(0)!
  const zero = ZEROS.find((item) => code >= item && code < item + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** The marks of direction that `Intl` writes around numbers, and pages around copied ones. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Converts full-width and other digits, all spaces and apostrophes to plain ones, and a full stop from an input
 * method to a point.
 */
function normalise(text: string): string {
  return text
    .normalize('NFKC')
    .replace(DIRECTIONS, '')
    .replace(/\p{Nd}/gu, plainDigit)
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/\u3002/g, '.')
    .replace(/[’‘`]/g, "'")
    .replace(/\s/g, ' ')
    .trim()
}

/** A separator of one character, as normalised texts contain it. A space must survive the trimming. */
const normalSign = (sign: string) => (sign.trim() === '' ? ' ' : normalise(sign))

/**
 * Reads typed or pasted text as a number in the style of a language, and refuses what could be read in two
 * ways. The decimal separator is always decimal. Groups must have the language's form, and there must be two
 * separators or a decimal part: "1,500,000" and "1,500.00" are read in English, "1,500" is not.
 */
export function readAmount(
  text: string,
  locale: string,
  { unit = '', decimals = MAX_DECIMALS }: ReadOptions = {},
): ReadAmount {
  const style = styleOf(locale)
  const normal = withPlainDigits(normalise(text), style)
  if (normal === '') return { value: '' }
  const [, sign = '', body = ''] = /^([+-]?) ?(.*)$/.exec(withoutUnit(normal, normalise(unit))) ?? []
  if (!/\d/.test(body)) return { refusal: /^[.,]$/.test(body) ? 'separator' : 'notNumber' }
  const mark = { decimal: normalSign(style.decimal), group: normalSign(style.group ?? style.decimal) }
  // Defined by Unicode as these two, whatever the language.
  const number = body.replaceAll('\u066b', mark.decimal).replaceAll('\u066c', mark.group)
  const strange = [...number].filter((char) => !/\d/.test(char) && !isSeparator(char, mark))
  if (strange.length > 0) return { refusal: isBeside(number, strange) ? 'unit' : 'notNumber' }
  const [whole = '', fraction, ...more] = number.split(mark.decimal)
  if (more.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return { refusal: 'separator' }
  const digits = /^\d*$/.test(whole) ? whole : groupedDigits(whole, mark.group, style)
  if (digits === null) return { refusal: 'separator' }
  const [before, after, ...others] = whole.split(mark.group)
  if (after !== undefined && others.length === 0 && fraction === undefined)
    return { refusal: 'lone', either: [digits, canonical(before!, after)] }
  const value = canonical(digits, fraction ?? '')
  if ((value.split('.')[1] ?? '').length > decimals) return { refusal: 'decimals' }
  return { value: sign === '-' ? `-${value}` : value }
}

/** Converts the digits of the language to plain ones. */
function withPlainDigits(text: string, { digits }: NumberStyle): string {
  const own = digits.map((digit) => digit.normalize('NFKC'))
  return [...text].map((char) => (own.includes(char) ? String(own.indexOf(char)) : char)).join('')
}

function withoutUnit(text: string, unit: string): string {
  if (unit === '') return text
  const [lower, name] = [text.toLowerCase(), unit.toLowerCase()]
  if (lower.endsWith(name)) return text.slice(0, -unit.length).trim()
  return lower.startsWith(name) ? text.slice(unit.length).trim() : text
}

interface Marks {
  readonly decimal: string
  readonly group: string
}

/** Reports whether a character separates digits, in this language or in others. */
const isSeparator = (char: string, { decimal, group }: Marks) =>
  char === decimal || char === group || /[., '_]/.test(char)

/** Reports whether strange characters are only letters or signs of currencies before or behind the number. */
const isBeside = (number: string, strange: readonly string[]) =>
  strange.every((char) => /[\p{L}\p{Sc}]/u.test(char)) && /^\D*[\d.,' ]*\d[.,' ]*\D*$/u.test(number)

/** Returns the digits of a grouped whole number; null if its groups do not have the form of the language. */
function groupedDigits(whole: string, mark: string, { group, last, others }: NumberStyle): string | null {
  if (group === null) return null
  const [first = '', ...rest] = whole.split(mark)
  const isForm =
    /^[1-9]\d*$/.test(first) &&
    first.length <= others &&
    rest.every(
      (part, place) => /^\d+$/.test(part) && part.length === (place < rest.length - 1 ? others : last),
    )
  return isForm ? first + rest.join('') : null
}

/** Returns a plain decimal without needless zeros. */
function canonical(whole: string, fraction: string): string {
  const part = fraction.replace(/0+$/, '')
  return `${whole.replace(/^0+(?=\d)/, '') || '0'}${part === '' ? '' : `.${part}`}`
}

/** Marks a refused text in the value of a field, so that it is never taken for a plain decimal. */
const REFUSED = '?'

/** Returns the value that a field passes on for a text: a plain decimal, empty, or the marked refused text. */
export const fieldValue = (text: string, read: ReadAmount): string => read.value ?? REFUSED + text

/** Returns the text of a field for its value, with at least `min` decimals in the style of the language. */
export function fieldText(value: string, locale: string, min = 2): string {
  if (value.startsWith(REFUSED)) return value.slice(REFUSED.length)
  if (!/^\d+(\.\d+)?$/.test(value)) return value
  const [whole = '', fraction = ''] = value.split('.')
  const part = fraction.padEnd(min, '0')
  return writeDecimal(part === '' ? whole : `${whole}.${part}`, styleOf(locale), false)
}

/** Returns a wire amount as the value of an amount field: without trailing zeros. */
export const amountText = (amount: string) => formatMicros(parseMicros(amount)).replace(/\.?0+$/, '')

/** Returns the wire amount of the value of a field, or null if it is invalid or below zero. */
export function toValue(input: string): string | null {
  if (!/^[0-9]{1,13}(\.[0-9]{1,6})?$/.test(input)) return null
  return formatMicros(parseMicros(input))
}

/** Returns the wire amount of the value of a field, or null if it is invalid or not above zero. */
export function toAmount(input: string): string | null {
  const value = toValue(input)
  return value !== null && parseMicros(value) > 0n ? value : null
}

/**
 * Returns the excess of the value of a field over a wire amount; null if there is none, or if it is not an
 * amount.
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
