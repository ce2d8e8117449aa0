import { formatDecimal, MINUS } from '../lib/index.ts'

/** The scale of a value axis. It is used only for drawing: money itself is never converted to a number. */
export interface Scale {
  /** From the lowest line of the grid to the highest. */
  readonly ticks: readonly number[]
  readonly low: number
  readonly high: number
  /** The number of decimals that distinguish the ticks. */
  readonly decimals: number
}

const STEPS = [1, 2, 2.5, 5, 10]

/**
 * Returns a scale around values with about `count` equal round steps. `fromZero` includes 0, as bars require.
 * `whole` uses only whole steps, as numbers of people require. Equal values are in the middle of their scale.
 */
export function scaleOf(
  values: readonly number[],
  {
    fromZero = false,
    whole = false,
    count = 4,
  }: { fromZero?: boolean; whole?: boolean; count?: number } = {},
): Scale {
  const all = fromZero ? [0, ...values] : values
  const [least, most] = all.length === 0 ? [0, 1] : [Math.min(...all), Math.max(...all)]
  const span = most - least || Math.abs(most) * 0.1 || 1
  const [from, to] = most === least && !fromZero ? [least - span / 2, most + span / 2] : [least, least + span]
  const rough = span / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const round = power * STEPS.find((candidate) => candidate * power >= rough * 0.999)!
  const step = whole ? Math.ceil(round) : round
  const [first, last] = [Math.floor(from / step + 1e-9), Math.ceil(to / step - 1e-9)]
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step)
  const decimals = decimalsOf(step)
  return { ticks, low: ticks[0]!, high: ticks.at(-1)!, decimals }
}

const MAX_DECIMALS = 6

function decimalsOf(step: number): number {
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    const scaled = step * 10 ** decimals
    if (Math.abs(scaled - Math.round(scaled)) < 1e-6 * scaled) return decimals
  }
  return MAX_DECIMALS
}

/** Returns the height of a value on a scale, from 0 to 1. */
export const heightOn = ({ low, high }: Scale, value: number): number =>
  high === low ? 0.5 : (value - low) / (high - low)

/**
 * Returns the horizontal positions of stops, from 0 to 1: by their times, or at equal distances without them.
 * A single stop is at the right end, where a history ends.
 */
export function placesOf(count: number, times?: readonly number[]): number[] {
  const at = times ?? Array.from({ length: count }, (_, index) => index)
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0]
  return at.map((time) => (last === first ? 1 : (time - first) / (last - first)))
}

/** Returns a tick as text: thousands separated, a real minus, millions shortened so that the axis stays narrow. */
export function tickText(value: number, decimals: number): string {
  const size = Math.abs(value)
  const [divisor, suffix] = size >= 1e9 ? [1e9, 'B'] : size >= 1e6 ? [1e6, 'M'] : [1, '']
  const scaled = size / divisor
  const text = suffix === '' ? scaled.toFixed(decimals) : `${Number(scaled.toFixed(3))}`
  const sign = value < 0 && /[1-9]/.test(text) ? MINUS : ''
  return `${sign}${formatDecimal(text)}${suffix}`
}
