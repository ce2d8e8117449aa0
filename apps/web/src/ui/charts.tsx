import type { ReactNode } from 'react'
import { cx } from '../lib/index.ts'

/** A point or a bar of a chart, as it is chosen. */
export interface ChartStop {
  key: string
  /** Its meaning in words; read out when it is chosen. */
  text: string
}

export interface ChartFrameProps {
  label: string
  stops: readonly ChartStop[]
  selected: string | null
  onSelect: (key: string) => void
  /** Stand below the first and the last stop. */
  from: string
  to: string
  /** The drawing. */
  children: ReactNode
}

/** Which stop the slider stands on: the chosen one, else the last. */
function currentOf(stops: readonly ChartStop[], selected: string | null): number {
  const index = stops.findIndex((stop) => stop.key === selected)
  return index === -1 ? stops.length - 1 : index
}

/** A drawing under a slider that chooses a stop of it, by finger or by arrow keys, and reads it out; and its axis. */
function ChartFrame({ label, stops, selected, onSelect, from, to, children }: ChartFrameProps) {
  const current = currentOf(stops, selected)
  return (
    <figure className="flex flex-col gap-1">
      <div className="relative rounded-8 has-focus-visible:outline-2 has-focus-visible:outline-accent">
        {children}
        <input
          type="range"
          min={0}
          max={stops.length - 1}
          value={current}
          aria-label={label}
          aria-valuetext={stops[current]?.text}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={(event) => onSelect(stops[event.target.valueAsNumber]!.key)}
        />
      </div>
      <div aria-hidden="true" className="flex justify-between text-12 text-muted">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </figure>
  )
}

/** The grid that lines are drawn on; it is stretched to the space there is. */
const WIDTH = 320
const HEIGHT = 100
const PAD = 6

export interface Place {
  x: number
  y: number
}

/**
 * Returns the points of values from left to right: by their times, or at equal distances without them. A flat line is in the
 * middle.
 */
export function placed(values: readonly number[], times?: readonly number[]): Place[] {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const at = times ?? values.map((_, index) => index)
  const [first, last] = [at[0] ?? 0, at.at(-1) ?? 0]
  return values.map((value, index) => {
    const share = high === low ? 0.5 : (value - low) / (high - low)
    const x = last === first ? 0 : ((at[index]! - first) / (last - first)) * WIDTH
    return { x, y: HEIGHT - PAD - share * (HEIGHT - 2 * PAD) }
  })
}

export interface LineAreaProps {
  places: readonly Place[]
  /** Its height. */
  className: string
  /** Drawn over the line, on the same grid. */
  children?: ReactNode
}

/** A line through places over a soft area. */
function LineArea({ places, className, children }: LineAreaProps) {
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

export interface LinePoint extends ChartStop {
  /** Only for drawing: how high it stands beside the others. */
  value: number
  /** When it was, in ms since the epoch; with it on every point, distances along the axis are times. */
  at?: number
}

export interface LineChartProps extends Omit<ChartFrameProps, 'stops' | 'children'> {
  points: readonly LinePoint[]
  /** The labels of the highest and the lowest value; without them there is no axis. */
  axis?: { readonly high: string; readonly low: string } | undefined
}

interface ValueAxisProps {
  high: string
  low: string
  /** The heights of the two lines, on the grid of the drawing. */
  highY?: number
  lowY?: number
}

/** The two grid lines of a chart with their values, at the right end. */
function ValueAxis({ high, low, highY = PAD, lowY = HEIGHT - PAD }: ValueAxisProps) {
  const lines = [
    { label: high, y: highY },
    { label: low, y: lowY },
  ].filter(({ label }, index) => index === 0 || label !== high)
  return lines.map(({ label, y }) => (
    <span
      key={label}
      aria-hidden="true"
      className="pointer-events-none absolute inset-x-0 flex -translate-y-1/2 items-center gap-2 text-12 text-muted"
      style={{ top: `${(y / HEIGHT) * 100}%` }}
    >
      <span className="h-px flex-1 bg-line" />
      {label}
    </span>
  ))
}

/** A line over an area, from the lowest value to the highest; a slider chooses a point. */
export function LineChart({ points, axis, ...frame }: LineChartProps) {
  const times = points.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const places = placed(
    points.map((point) => point.value),
    times.length === points.length ? times : undefined,
  )
  const mark = places[currentOf(points, frame.selected)]
  const isChosen = points.some((point) => point.key === frame.selected)
  return (
    <ChartFrame {...frame} stops={points}>
      {axis !== undefined && <ValueAxis {...axis} />}
      <LineArea places={places} className="h-36">
        {mark !== undefined && isChosen && (
          <path
            d={`M${mark.x} 0V${HEIGHT}`}
            strokeWidth="1"
            vectorEffect="non-scaling-stroke"
            className="stroke-muted"
          />
        )}
      </LineArea>
      {mark !== undefined && (
        <svg
          aria-hidden="true"
          viewBox="0 0 12 12"
          className="pointer-events-none absolute size-3 -translate-x-1/2 -translate-y-1/2"
          style={{ left: `${(mark.x / WIDTH) * 100}%`, top: `${(mark.y / HEIGHT) * 100}%` }}
        >
          <circle cx="6" cy="6" r="5" strokeWidth="2" className="fill-card stroke-accent" />
        </svg>
      )}
    </ChartFrame>
  )
}

export interface SparklineProps {
  /** Only for drawing: how high each point stands beside the others. */
  values: readonly number[]
}

/** The shape of a history in the space of a word; what it says stands in words beside it. */
export function Sparkline({ values }: SparklineProps) {
  if (values.length < 2) return null
  return <LineArea places={placed(values)} className="h-12" />
}

const TONES = {
  accent: 'fill-accent',
  good: 'fill-good',
  warn: 'fill-warn',
  muted: 'fill-muted',
} as const

export type ChartTone = keyof typeof TONES

export interface ChartPart {
  /** Only for drawing: how high it stands beside the others. */
  value: number
  tone: ChartTone
}

export interface ChartBar extends ChartStop {
  /** From the bottom up. */
  parts: readonly ChartPart[]
  /** The height of a line over the bars, on their scale. */
  level?: number | undefined
}

export interface BarChartProps extends Omit<ChartFrameProps, 'stops' | 'children'> {
  bars: readonly ChartBar[]
  /** The label of the highest value, beside the top; without it there is no axis. */
  top?: string | undefined
}

const STEP = 10
const GAP = 2
/** A bar with something in it is never too low to be seen. */
const LEAST = 1.5

/**
 * Stacked bars side by side, the highest filling the height; a slider chooses one. Drawn as SVG: a chart library would be a
 * hundred times as large.
 */
export function BarChart({ bars, top: label, ...frame }: BarChartProps) {
  const top = Math.max(...bars.map((bar) => Math.max(sum(bar.parts), bar.level ?? 0)), Number.MIN_VALUE)
  const isChosen = bars.some((bar) => bar.key === frame.selected)
  return (
    <ChartFrame {...frame} stops={bars}>
      {label !== undefined && <ValueAxis high={label} low="0" highY={0} lowY={HEIGHT - PAD} />}
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${bars.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="h-32 w-full"
      >
        <path d={`M0 ${HEIGHT}H${bars.length * STEP}`} className="stroke-line" />
        {bars.map((bar, place) => (
          <g key={bar.key} className={cx(isChosen && bar.key !== frame.selected && 'opacity-50')}>
            <Stack parts={bar.parts} top={top} x={place * STEP} />
          </g>
        ))}
        <Levels bars={bars} top={top} />
      </svg>
    </ChartFrame>
  )
}

/** A line of one step a bar; nothing without levels. */
function Levels({ bars, top }: { bars: readonly ChartBar[]; top: number }) {
  const steps = bars.flatMap(({ level }, place) => {
    if (level === undefined) return []
    const y = Math.max(1, HEIGHT - (level / top) * HEIGHT)
    return [`${place === 0 ? 'M' : 'L'}${place * STEP} ${y.toFixed(1)}H${(place + 1) * STEP}`]
  })
  if (steps.length === 0) return null
  return (
    <path
      d={steps.join('')}
      fill="none"
      strokeWidth="2"
      vectorEffect="non-scaling-stroke"
      className="stroke-good"
    />
  )
}

function Stack({ parts, top, x }: { parts: readonly ChartPart[]; top: number; x: number }) {
  let y = HEIGHT
  return parts
    .filter((part) => part.value > 0)
    .map((part) => {
      const height = Math.max(LEAST, (part.value / top) * HEIGHT)
      y -= height
      return (
        <rect
          key={part.tone}
          x={x + GAP / 2}
          y={y}
          width={STEP - GAP}
          height={height}
          className={TONES[part.tone]}
        />
      )
    })
}

export interface LegendProps {
  items: readonly { tone: ChartTone; label: string }[]
}

/** The legend of a chart. */
export function Legend({ items }: LegendProps) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-12 text-muted">
      {items.map((item) => (
        <li key={item.tone} className="flex items-center gap-1.5">
          <svg aria-hidden="true" viewBox="0 0 8 8" className="size-2">
            <circle cx="4" cy="4" r="4" className={TONES[item.tone]} />
          </svg>
          {item.label}
        </li>
      ))}
    </ul>
  )
}

function sum(parts: readonly ChartPart[]): number {
  return parts.reduce((total, part) => total + part.value, 0)
}
