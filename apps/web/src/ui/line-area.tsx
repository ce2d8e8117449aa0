import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

/** The grid that lines are drawn on; it is stretched to the space there is. */
export const WIDTH = 320
export const HEIGHT = 100
const PAD = 6

export interface Place {
  x: number
  y: number
}

/** Where values stand from left to right. A flat line stands in the middle: it neither rose nor fell. */
export function placed(values: readonly number[]): Place[] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0
  return values.map((value, index) => {
    const share = high === low ? 0.5 : (value - low) / (high - low)
    return { x: index * step, y: HEIGHT - PAD - share * (HEIGHT - 2 * PAD) }
  })
}

export interface LineAreaProps {
  places: readonly Place[]
  /** How high it is. */
  className: string
  /** Drawn over the line, on the same grid. */
  children?: ReactNode
}

/** A line through places over a soft area. */
export function LineArea({ places, className, children }: LineAreaProps) {
  const line = places
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx('w-full overflow-visible', className)}
    >
      <path d={`${line}V${HEIGHT}H0Z`} className="fill-accent-soft" />
      <path
        d={line}
        fill="none"
        strokeWidth="2"
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-accent"
      />
      {children}
    </svg>
  )
}
