/** A count of micro-units (10^-6) of one asset; stored amounts fit 64 bits, intermediates are of any size. Rules, section 1. */
export type Micros = bigint

/** A rate in parts per million, an integer; 1_000_000 is 100%. A number, so that it cannot be mixed up with an amount. */
export type Ppm = number

/** One whole unit of an asset, in micro-units. */
export const MICRO: Micros = 1_000_000n

/** 100% in parts per million. */
export const ONE_PPM: Ppm = 1_000_000

/** The largest amount that can be stored: 2^63 - 1 micro-units. */
export const MAX_MICROS: Micros = 2n ** 63n - 1n

const MICRO_DECIMALS = 6
const NOTHING = '0.000000'
const AMOUNT_TEXT = /^(-?)([0-9]+)(?:\.([0-9]{1,6}))?$/

/** Quotient rounded towards minus infinity, which `/` on bigints is not for negative operands. The divisor is positive. */
export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

/** The smaller of two amounts. */
export function min(a: Micros, b: Micros): Micros {
  return a < b ? a : b
}

/** The larger of two amounts. */
export function max(a: Micros, b: Micros): Micros {
  return a > b ? a : b
}

/** The share `ratePpm` of an amount, floored. Rules, section 1. */
export function mul(amountMicros: Micros, ratePpm: Ppm): Micros {
  return floorDiv(amountMicros * BigInt(ratePpm), MICRO)
}

/** What an amount is worth in USDT micro-units at a price in USDT micro-units per whole unit, floored. Rules, section 1. */
export function worth(amountMicros: Micros, priceMicros: Micros): Micros {
  return floorDiv(amountMicros * priceMicros, MICRO)
}

/** How many micro-units a value in USDT buys at a (positive) price, floored. Rules, section 1. */
export function units(valueMicros: Micros, priceMicros: Micros): Micros {
  return floorDiv(valueMicros * MICRO, priceMicros)
}

/** Whether an amount may be moved and stored: positive and within 64 bits. What is not is refused as INVALID_AMOUNT. Rules, section 1. */
export function isAmount(amountMicros: Micros): boolean {
  return amountMicros > 0n && amountMicros <= MAX_MICROS
}

/** Whether a text is a decimal amount with at most six decimals; its range is not looked at. */
export function isMicrosText(text: string): boolean {
  return AMOUNT_TEXT.test(text)
}

/**
 * Reads a decimal amount such as "12.5" as micro-units, of any size.
 * Throws a SyntaxError where `isMicrosText` is false: check texts from outside with that first.
 */
export function parseMicros(text: string): Micros {
  const match = AMOUNT_TEXT.exec(text)
  if (match === null) throw new SyntaxError('not a decimal amount with at most 6 decimals')
  const [, sign, whole, fraction = ''] = match
  const micros = BigInt(whole + fraction.padEnd(MICRO_DECIMALS, '0'))
  return sign === '-' ? -micros : micros
}

/** Writes micro-units as a decimal text with exactly six decimals, such as "12.500000". */
export function formatMicros(micros: Micros): string {
  // Most accounts of a member are empty.
  if (micros === 0n) return NOTHING
  const digits = (micros < 0n ? -micros : micros).toString().padStart(MICRO_DECIMALS + 1, '0')
  const split = digits.length - MICRO_DECIMALS
  return `${micros < 0n ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`
}

/** Micro-units as base units of a token with the given decimals (at least 6), exactly. Rules, section 1. */
export function toChainUnits(micros: Micros, decimals: number): bigint {
  return micros * chainUnitsPerMicro(decimals)
}

/**
 * Base units of a token with the given decimals (at least 6) as whole micro-units, and the remainder below one
 * micro-unit in base units ("dust": kept on the receipt, never credited). Rules, section 1.
 */
export function fromChainUnits(value: bigint, decimals: number): { micros: Micros; dust: bigint } {
  const scale = chainUnitsPerMicro(decimals)
  const micros = floorDiv(value, scale)
  return { micros, dust: value - micros * scale }
}

function chainUnitsPerMicro(decimals: number): bigint {
  if (decimals < MICRO_DECIMALS) throw new RangeError(`a token needs at least ${MICRO_DECIMALS} decimals`)
  return 10n ** BigInt(decimals - MICRO_DECIMALS)
}
