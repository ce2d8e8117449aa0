/** An amount of an asset in micro-units (10^-6). Stored amounts fit 64 bits, intermediate results have any size. Rules, section 1. */
export type Micros = bigint

/** A rate in parts per million, an integer. It is a number, so that the compiler distinguishes it from an amount. */
export type Ppm = number

/** One whole unit of an asset, in micro-units. */
export const MICRO: Micros = 1_000_000n

/** 100% in parts per million. */
export const ONE_PPM: Ppm = 1_000_000

/** The largest amount that can be stored: 2^63 - 1 micro-units. */
export const MAX_MICROS: Micros = 2n ** 63n - 1n

const MICRO_DECIMALS = 6
const ZERO_TEXT = '0.000000'
const AMOUNT_TEXT = /^(-?)([0-9]+)(?:\.([0-9]{1,6}))?$/

/** Divides by a positive divisor and rounds towards minus infinity; `/` on bigints rounds towards zero. */
export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

export function min(a: Micros, b: Micros): Micros {
  return a < b ? a : b
}

export function max(a: Micros, b: Micros): Micros {
  return a > b ? a : b
}

/** Returns the share `ratePpm` of an amount, floored. Rules, section 1. */
export function mul(amountMicros: Micros, ratePpm: Ppm): Micros {
  return floorDiv(amountMicros * BigInt(ratePpm), MICRO)
}

/** Returns the worth of an amount in USDT micro-units, at a price in USDT micro-units per whole unit, floored. Rules, section 1. */
export function worth(amountMicros: Micros, priceMicros: Micros): Micros {
  return floorDiv(amountMicros * priceMicros, MICRO)
}

/** Returns the micro-units that a value in USDT buys at a positive price, floored. Rules, section 1. */
export function units(valueMicros: Micros, priceMicros: Micros): Micros {
  return floorDiv(valueMicros * MICRO, priceMicros)
}

/** Reports whether an amount can be transferred: positive and within 64 bits. Otherwise rules refuse with INVALID_AMOUNT. Rules, section 1. */
export function isAmount(amountMicros: Micros): boolean {
  return amountMicros > 0n && amountMicros <= MAX_MICROS
}

/** Reports whether a text is a decimal amount with at most six decimals, of any size. */
export function isMicrosText(text: string): boolean {
  return AMOUNT_TEXT.test(text)
}

/**
 * Parses a decimal amount such as "12.5", of any size. Throws a SyntaxError where `isMicrosText` is false;
 * check external input with that function first.
 */
export function parseMicros(text: string): Micros {
  const match = AMOUNT_TEXT.exec(text)
  if (match === null) throw new SyntaxError('not a decimal amount with at most 6 decimals')
  const [, sign, whole, fraction = ''] = match
  const micros = BigInt(whole + fraction.padEnd(MICRO_DECIMALS, '0'))
  return sign === '-' ? -micros : micros
}

/** Formats micro-units with exactly six decimals, such as "12.500000". */
export function formatMicros(micros: Micros): string {
  // Fast path: most accounts of a member are empty.
  if (micros === 0n) return ZERO_TEXT
  const digits = (micros < 0n ? -micros : micros).toString().padStart(MICRO_DECIMALS + 1, '0')
  const split = digits.length - MICRO_DECIMALS
  return `${micros < 0n ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`
}

/** Converts micro-units to base units of a token with at least 6 decimals, exactly. Rules, section 1. */
export function toChainUnits(micros: Micros, decimals: number): bigint {
  return micros * chainUnitsPerMicro(decimals)
}

/**
 * Converts base units of a token with at least 6 decimals to whole micro-units and a remainder in base units ("dust", which is
 * kept on the receipt and never credited). Rules, section 1.
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
