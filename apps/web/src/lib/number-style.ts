import type { Locale } from '@rif/api-schema'

/** The way a language writes numbers. */
export interface NumberStyle {
  decimal: string
  /** Stands between groups of digits; null in a language that writes none. */
  group: string | null
  /** The number of digits of the last group, and of each before it: 12,34,567 in India. */
  last: number
  others: number
  /** The digits that a whole number needs before it is grouped: Spanish writes 1500 and 15.000. */
  groupedFrom: number
  /** The digits 0 to 9. */
  digits: readonly string[]
}

const LATIN = [...'0123456789']

/** The style of all four languages of the texts; number-style.test.ts compares it with `Intl`. */
const COMMON: NumberStyle = {
  decimal: '.',
  group: ',',
  last: 3,
  others: 3,
  groupedFrom: 4,
  digits: LATIN,
}

/** Without `Intl`, whose first formatter takes a phone a tenth of a second to create. */
const OWN: Readonly<Record<Locale, NumberStyle>> = { en: COMMON, ja: COMMON, ko: COMMON, 'zh-Hans': COMMON }

/** Returns how a language writes numbers. */
export const styleOf = (locale: string): NumberStyle =>
  Object.hasOwn(OWN, locale) ? OWN[locale as Locale] : intlStyle(locale)

const intlStyles = new Map<string, NumberStyle>()

/** Returns how `Intl` writes the numbers of any language tag. */
export function intlStyle(locale: string): NumberStyle {
  const style = intlStyles.get(locale) ?? readStyle(locale)
  intlStyles.set(locale, style)
  return style
}

const LONG = 1_234_567_890_123
const MOST_DIGITS_UNGROUPED = 6

function readStyle(locale: string): NumberStyle {
  const plain = new Intl.NumberFormat(locale, { useGrouping: false })
  const grouped = new Intl.NumberFormat(locale)
  const groups = grouped.formatToParts(LONG).filter(({ type }) => type === 'integer')
  const lengths = groups.map(({ value }) => [...value].length)
  const isGrouped = (digits: number) =>
    grouped.formatToParts(10 ** (digits - 1)).some(({ type }) => type === 'group')
  let groupedFrom = 1
  while (groupedFrom <= MOST_DIGITS_UNGROUPED && !isGrouped(groupedFrom)) groupedFrom++
  return {
    decimal: plain.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.',
    group: grouped.formatToParts(LONG).find(({ type }) => type === 'group')?.value ?? null,
    last: lengths.at(-1) ?? 0,
    others: lengths.at(-2) ?? 0,
    groupedFrom,
    digits: LATIN.map((digit) => plain.format(Number(digit))),
  }
}

/**
 * Writes a plain decimal ("-1234.5") in a style, without changing its decimals: "-1,234.5". Money is never
 * converted to a number.
 */
export function writeDecimal(plain: string, style: NumberStyle, isGrouped = true): string {
  const match = /^(-?)(\d*)(\.?)(\d*)$/.exec(plain)
  if (match === null) return plain
  const [, sign = '', whole = '', point = '', fraction = ''] = match
  const digits = (text: string) =>
    style.digits === LATIN ? text : text.replace(/\d/g, (digit) => style.digits[Number(digit)]!)
  const parts = isGrouped ? groupsOf(whole, style) : [whole]
  return sign + parts.map(digits).join(style.group ?? '') + (point && style.decimal) + digits(fraction)
}

function groupsOf(whole: string, { group, last, others, groupedFrom }: NumberStyle): string[] {
  if (group === null || whole.length < groupedFrom || whole.length <= last) return [whole]
  const before = whole.slice(0, -last)
  const start = before.length % others
  const starts = Array.from(
    { length: Math.floor(before.length / others) },
    (_, index) => start + index * others,
  )
  return [
    ...(start === 0 ? [] : [before.slice(0, start)]),
    ...starts.map((at) => before.slice(at, at + others)),
    whole.slice(-last),
  ]
}
