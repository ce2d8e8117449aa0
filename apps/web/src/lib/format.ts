import { formatMicros, parseMicros } from '@rif/rules'

/** As wide as a plus and a digit, so that columns stay straight; a hyphen is not. */
export const MINUS = '−'

interface Decimals {
  readonly min: number
  readonly max: number
}

/** The decimals of USDT, AMC and all else that is not listed in `DECIMALS`. */
export const TWO_DECIMALS: Decimals = { min: 2, max: 2 }
/** The decimals of a price and of a fund's unit value. */
export const PRICE_DECIMALS: Decimals = { min: 2, max: 4 }
const DECIMALS: Readonly<Record<string, Decimals>> = { ETH: { min: 4, max: 4 } }

/** Returns the decimals in which amounts of an asset are shown. */
export const decimalsOf = (asset: string): Decimals => DECIMALS[asset] ?? TWO_DECIMALS

/**
 * A wire amount for people: thousands separated, two decimals unless others are given, cut and never rounded up, so that
 * nobody reads more than there is. The separators are those of all four languages.
 */
export function formatAmount(amount: string, { min, max } = TWO_DECIMALS): string {
  const text = formatMicros(parseMicros(amount))
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.slice(negative ? 1 : 0).split('.')
  const grouped = groupThousands(whole)
  const cut = fraction.slice(0, max)
  const decimals = cut.replace(/0+$/, '').padEnd(min, '0')
  const sign = negative && /[1-9]/.test(whole + cut) ? MINUS : ''
  return sign + grouped + (decimals === '' ? '' : `.${decimals}`)
}

/** A price or a fund's unit value, 2 to 4 decimals, cut. */
export const formatPrice = (price: string) => formatAmount(price, PRICE_DECIMALS)

/** All decimals that an amount has, at least two. */
export const formatExact = (amount: string) => formatAmount(amount, { min: 2, max: 6 })

/** Reports whether an amount has more decimals than these. */
export const isCut = (amount: string, { max } = TWO_DECIMALS) =>
  /[1-9]/.test((formatMicros(parseMicros(amount)).split('.')[1] ?? '').slice(max))

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

/** First 6 and last 4 characters: for dense tables, whose details show the whole address. */
export const shortestAddress = (address: string) => shorten(address, 6, 4)

function shorten(text: string, head: number, tail: number): string {
  return text.length <= head + tail ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

const groupThousands = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',')

/** Whole numbers with thousands separated. Without `Intl`: its first formatter takes a phone a tenth of a second to make. */
export const formatCount = (count: number) => groupThousands(String(count))

/** A ratio in parts per million as a percentage with two decimals, cut: 1435612 -> "143.56%". */
export function formatRatio(ppm: number): string {
  const hundredths = Math.floor(ppm / 100)
  return `${formatCount(Math.floor(hundredths / 100))}.${String(hundredths % 100).padStart(2, '0')}%`
}
