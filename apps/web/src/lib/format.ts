import { formatMicros, parseMicros } from '@rif/rules'

/** The locale of money, rates and times: all four languages use its separators. */
const NUMBER_LOCALE = 'en-US'

/** As wide as a plus and a digit, so that columns stay straight; a hyphen is not. */
export const MINUS = '−'

const DEFAULT_DECIMALS = { min: 2, max: 4 }
/** The decimals of USDT and AMC where figures stand in a list or a card; the exact amount is elsewhere on the page. */
export const TWO_DECIMALS = { min: 2, max: 2 }

/**
 * A wire amount for people: thousands separated, 2 to 4 decimals, cut and never rounded up, so that nobody reads
 * more than there is. `exact` shows all that the amount has.
 */
export function formatAmount(amount: string, { min, max } = DEFAULT_DECIMALS): string {
  const text = formatMicros(parseMicros(amount))
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.slice(negative ? 1 : 0).split('.')
  const grouped = groupThousands(whole)
  const cut = fraction.slice(0, max)
  const decimals = cut.replace(/0+$/, '').padEnd(min, '0')
  const sign = negative && /[1-9]/.test(whole + cut) ? MINUS : ''
  return sign + grouped + (decimals === '' ? '' : `.${decimals}`)
}

/** All decimals that an amount has, at least two. */
export const formatExact = (amount: string) => formatAmount(amount, { min: 2, max: 6 })

/** Reports whether `formatAmount` drops decimals. */
export const isCut = (amount: string) => formatAmount(amount) !== formatExact(amount)

/** Wire amounts of one asset added up. */
export const sumAmounts = (amounts: readonly string[]): string =>
  formatMicros(amounts.reduce((sum, amount) => sum + parseMicros(amount), 0n))

export const isZero = (amount: string) => parseMicros(amount) === 0n

/** A rate in parts per million as a percentage of at most two decimals, cut: 8500 -> "0.85%". */
export function formatPpm(ppm: number): string {
  const hundredths = Math.floor(ppm / 100)
  const text = (hundredths / 100).toFixed(2).replace(/\.?0+$/, '')
  return `${text}%`
}

/** Returns the address in the text of a QR code or the clipboard, bare or as `ethereum:0x...@42161?value=1`; null without one. */
export function findAddress(text: string): string | null {
  return /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/.exec(text)?.[0] ?? null
}

/** First 12 and last 8 characters: for lists and headers. */
export const shortAddress = (address: string) => shorten(address, 12, 8)
/** First 16 and last 4 characters: where the start is what one compares. */
export const shortAddressLong = (address: string) => shorten(address, 16, 4)

function shorten(text: string, head: number, tail: number): string {
  return text.length <= head + tail ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

const groupThousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** Whole numbers with thousands separated. Without `Intl`: its first formatter takes a phone a tenth of a second to make. */
export const formatCount = (count: number) => groupThousands(String(count))

const SECONDS_DIGITS = 10

/** A point in time from ISO text or a Unix time; as in the specification, numbers of up to ten digits are seconds. Null when it is none. */
export function parseTime(value: string | number): Date | null {
  const date =
    typeof value === 'number' && String(Math.trunc(value)).length <= SECONDS_DIGITS
      ? new Date(value * 1000)
      : new Date(value)
  return Number.isNaN(date.getTime()) ? null : date
}

/** A time in the member's own zone, "2026-01-31 09:05"; null when it is no time. */
export function formatTime(value: string | number): string | null {
  const date = parseTime(value)
  if (date === null) return null
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The same with seconds and the zone: "2026-01-31 09:05:07 GMT+1". */
export function formatTimeExact(value: string | number): string | null {
  const date = parseTime(value)
  if (date === null) return null
  const zone = new Intl.DateTimeFormat(NUMBER_LOCALE, { timeZoneName: 'shortOffset' })
    .formatToParts(date)
    .find((part) => part.type === 'timeZoneName')?.value
  return `${formatTime(value)}:${String(date.getSeconds()).padStart(2, '0')} ${zone ?? ''}`.trimEnd()
}

/** Grouping of lists by UTC accounting day: 1 today, 2 yesterday, 3 older. Specification section 9. */
export function dayGroup(day: string, now: Date): 1 | 2 | 3 {
  const today = now.toISOString().slice(0, 10)
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10)
  if (day >= today) return 1
  return day === yesterday ? 2 : 3
}

/** A ratio in parts per million as a percentage with two decimals, cut: 1435612 -> "143.56%". */
export function formatRatio(ppm: number): string {
  const hundredths = Math.floor(ppm / 100)
  return `${formatCount(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, '0')}%`
}

/** A day in words in the member's own zone, such as "Sunday 22 November", and whether it is today or yesterday there. */
export function dayWords(
  value: string,
  now: Date,
  locale: string,
): { words: string; group: 'today' | 'yesterday' | 'older' } {
  const date = new Date(value)
  const yesterday = new Date(now)
  yesterday.setDate(now.getDate() - 1)
  const isThisYear = date.getFullYear() === now.getFullYear()
  const words = dayFormat(locale, isThisYear).format(date)
  if (date.toDateString() === now.toDateString()) return { words, group: 'today' }
  return { words, group: date.toDateString() === yesterday.toDateString() ? 'yesterday' : 'older' }
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()
/** Making a formatter takes a phone long, so that each is made once. */
function dayFormat(locale: string, isThisYear: boolean): Intl.DateTimeFormat {
  const key = `${locale} ${isThisYear}`
  const known = dayFormats.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat(locale === 'en' ? 'en-GB' : locale, {
    ...({ weekday: 'long', day: 'numeric', month: 'long' } as const),
    ...(!isThisYear && { year: 'numeric' as const }),
  })
  dayFormats.set(key, format)
  return format
}
