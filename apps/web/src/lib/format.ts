import { formatMicros, parseMicros } from '@rif/rules'
import { currentStyle } from './language.ts'
import { writeDecimal } from './number-style.ts'

/** The minus sign is as wide as a plus and a digit, so that columns align; a hyphen is not. */
export const MINUS = '−'

interface Decimals {
  readonly min: number
  readonly max: number
}

/** The decimals of USDT, AMC and all other assets that are not listed in `DECIMALS`. */
export const TWO_DECIMALS: Decimals = { min: 2, max: 2 }
/** The decimals of a price and of a fund's unit value. */
export const PRICE_DECIMALS: Decimals = { min: 2, max: 4 }
const DECIMALS: Readonly<Record<string, Decimals>> = { ETH: { min: 4, max: 4 } }

/** Returns the decimals in which amounts of an asset are shown. */
export const decimalsOf = (asset: string): Decimals => DECIMALS[asset] ?? TWO_DECIMALS

/**
 * Formats a wire amount: thousands separated, by default two decimals, truncated and never rounded up, so
 * that nobody reads more than there is.
 */
export function formatAmount(amount: string, { min, max } = TWO_DECIMALS, style = currentStyle()): string {
  const text = formatMicros(parseMicros(amount))
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.slice(negative ? 1 : 0).split('.')
  const cut = fraction.slice(0, max)
  const decimals = cut.replace(/0+$/, '').padEnd(min, '0')
  const sign = negative && /[1-9]/.test(whole + cut) ? MINUS : ''
  return sign + writeDecimal(decimals === '' ? whole : `${whole}.${decimals}`, style)
}

/** Formats a price or a fund's unit value with 2 to 4 decimals, truncated. */
export const formatPrice = (price: string) => formatAmount(price, PRICE_DECIMALS)

/** Formats an amount with all its decimals, at least two. */
export const formatExact = (amount: string) => formatAmount(amount, { min: 2, max: 6 })

/** Reports whether an amount has more decimals than these. */
export const isCut = (amount: string, { max } = TWO_DECIMALS) =>
  /[1-9]/.test((formatMicros(parseMicros(amount)).split('.')[1] ?? '').slice(max))

/** Returns the sum of wire amounts of one asset. */
export const sumAmounts = (amounts: readonly string[]): string =>
  formatMicros(amounts.reduce((sum, amount) => sum + parseMicros(amount), 0n))

export const isZero = (amount: string) => parseMicros(amount) === 0n

/**
 * Formats a rate in parts per million as a percentage of at most two decimals, truncated: 8500 -> "0.85%".
 */
export function formatPpm(ppm: number): string {
  const hundredths = Math.floor(ppm / 100)
  return `${formatDecimal((hundredths / 100).toFixed(2).replace(/\.?0+$/, ''))}%`
}

/**
 * Returns the address in a QR code's or clipboard text, plain or as `ethereum:0x...@42161?value=1`; null if
 * there is none.
 */
export function findAddress(text: string): string | null {
  return /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/.exec(text.normalize('NFKC'))?.[0] ?? null
}

/** Returns the first 12 and last 8 characters, for lists and headers. */
export const shortAddress = (address: string) => shorten(address, 12, 8)
/** Returns the first 16 and last 4 characters, for comparing the start. */
export const shortAddressLong = (address: string) => shorten(address, 16, 4)

/** Returns the first 6 and last 4 characters, for dense tables whose details show the whole address. */
export const shortestAddress = (address: string) => shorten(address, 6, 4)

function shorten(text: string, head: number, tail: number): string {
  return text.length <= head + tail ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Formats a plain decimal ("-1234.5") with separated thousands, without changing its decimals. */
export const formatDecimal = (plain: string) => writeDecimal(plain, currentStyle())

/** Formats whole numbers with separated thousands. */
export const formatCount = (count: number) => formatDecimal(String(count))

/**
 * Formats a ratio in parts per million as a percentage with two decimals, truncated: 1435612 -> "143.56%".
 */
export function formatRatio(ppm: number): string {
  const hundredths = Math.floor(ppm / 100)
  const text = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
  return `${formatDecimal(text)}%`
}
