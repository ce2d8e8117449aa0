import { cx } from '../lib/index.ts'
import { ChartFrame, type ChartFrameProps, type ChartStop, currentOf } from './chart-frame.tsx'
import { type Spot, spotsOfLabels } from './chart-labels.ts'
import { heightOn, placesOf, type Scale, scaleOf } from './chart-scale.ts'

export type { ChartStop }

/** The grid that drawings are made on; it is stretched to the space there is. */
const [WIDTH, HEIGHT] = [320, 100]

interface Place {
  readonly x: number
  readonly y: number
}

function placed(values: readonly number[], scale: Scale, times?: readonly number[]): Place[] {
  const xs = placesOf(values.length, times)
  return values.map((value, index) => ({ x: xs[index]! * WIDTH, y: HEIGHT * (1 - heightOn(scale, value)) }))
}

/** The places of a line whose values hold until the next place. */
const stepsOf = (places: readonly Place[]): Place[] =>
  places.flatMap((place, index) => (index === 0 ? [place] : [{ x: place.x, y: places[index - 1]!.y }, place]))

/** The path of a line through places; with `steps` each value holds until the next place. */
function pathOf(places: readonly Place[], steps: boolean): string {
  return places
    .map(({ x, y }, index) => {
      const [at, to] = [x.toFixed(1), y.toFixed(1)]
      if (index === 0) return `M${at} ${to}`
      return steps ? `H${at}V${to}` : `L${at} ${to}`
    })
    .join('')
}

interface LineAreaProps {
  places: readonly Place[]
  steps?: boolean
  /** Its size. */
  className: string
}

/** A line through places over a soft area, in the colour of the text. */
function LineArea({ places, steps = false, className }: LineAreaProps) {
  const line = pathOf(places, steps)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={cx('overflow-visible', className)}
    >
      <path d={`${line}V${HEIGHT}H${places[0]?.x.toFixed(1) ?? 0}Z`} className="fill-current opacity-10" />
      <path
        d={line}
        fill="none"
        strokeWidth="2.25"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
        className="stroke-current"
      />
    </svg>
  )
}

export interface LinePoint extends ChartStop {
  /** Only for drawing: its height relative to the others. */
  value: number
  /** When it was, in ms since the epoch; with it on every point, distances along the axis are times. */
  at?: number
  /** The event of that time in two or three words, which marks the point. */
  event?: string | undefined
}

export interface LineChartProps extends Omit<ChartFrameProps, 'stops'> {
  points: readonly LinePoint[]
  /** Each value holds until the next one, as a published value does. */
  steps?: boolean
  /** A value that the axis always shows, such as 100%. */
  level?: number
  /** The values are numbers of things, which have no parts. */
  whole?: boolean
  className?: string
}

/** A line over time with its axes and marked events; a slider chooses a point. */
export function LineChart({
  points,
  steps = false,
  level,
  whole = false,
  className = 'h-36',
  ...frame
}: LineChartProps) {
  const times = points.flatMap(({ at }) => (at === undefined ? [] : [at]))
  const values = points.map(({ value }) => value)
  const scale = scaleOf(level === undefined ? values : [...values, level], { whole })
  const places = placed(values, scale, times.length === points.length ? times : undefined)
  const current = currentOf(points, frame.selected)
  const mark = places[current]
  const marks = points.flatMap(({ key, event }, index) =>
    event === undefined ? [] : [{ key, place: places[index]!, text: event }],
  )
  const shareOf = ({ x, y }: Place): Place => ({ x: x / WIDTH, y: y / HEIGHT })
  const spots = spotsOfLabels(
    marks.map(({ place, text }) => ({ ...shareOf(place), text })),
    (steps ? stepsOf(places) : places).map(shareOf),
  )
  const isChosen = points.some(({ key }) => key === frame.selected)
  const ink = frame.onHero === true ? 'text-hero-data' : 'text-accent'
  return (
    <ChartFrame {...frame} stops={points} scale={scale} current={current} className={cx(className, ink)}>
      {points.length > 0 && <LineArea places={places} steps={steps} className="absolute inset-0 size-full" />}
      {marks.map(({ key, place, text }, index) => (
        <EventMark key={key} place={place} text={text} spot={spots.get(index)} onHero={frame.onHero} />
      ))}
      {mark !== undefined && isChosen && (
        <span
          aria-hidden="true"
          className="absolute inset-y-0 w-px bg-current opacity-60"
          style={{ left: `${(mark.x / WIDTH) * 100}%` }}
        />
      )}
      {mark !== undefined && <Dot place={mark} onHero={frame.onHero} isFilled />}
    </ChartFrame>
  )
}

interface DotProps {
  place: Place
  onHero: boolean | undefined
  /** The chosen or last point; events are hollow. */
  isFilled?: boolean
}

const at = ({ x, y }: Place) => ({ left: `${(x / WIDTH) * 100}%`, top: `${(y / HEIGHT) * 100}%` })

function Dot({ place, onHero = false, isFilled = false }: DotProps) {
  const fill = onHero ? 'bg-white' : 'bg-accent'
  const hollow = onHero ? 'border-white bg-[#0b1b4d]' : 'border-accent bg-card'
  return (
    <span
      aria-hidden="true"
      className={cx(
        'pointer-events-none absolute size-2.5 -translate-x-1/2 -translate-y-1/2 rounded-full',
        isFilled ? fill : `border-2 ${hollow}`,
      )}
      style={at(place)}
    />
  )
}

const SIDES = { left: '-translate-x-[calc(100%+0.5rem)]', middle: '-translate-x-1/2', right: '' } as const
const LEVELS = { above: '-translate-y-6', below: 'translate-y-1.5' } as const

interface EventMarkProps {
  place: Place
  text: string
  /** Where the text is; undefined if there is not enough space. */
  spot: Spot | undefined
  onHero: boolean | undefined
}

/** A marked point with its text. */
function EventMark({ place, text, spot, onHero = false }: EventMarkProps) {
  return (
    <>
      <Dot place={place} onHero={onHero} />
      {spot !== undefined && (
        <span
          aria-hidden="true"
          className={cx(
            'pointer-events-none absolute whitespace-nowrap text-12 font-medium',
            onHero ? 'text-white' : 'text-ink',
            SIDES[spot.side],
            LEVELS[spot.level],
          )}
          style={at(place)}
        >
          {text}
        </span>
      )}
    </>
  )
}

export interface SparklineProps {
  /** Only for drawing: the height of each point relative to the others. */
  values: readonly number[]
}

/** The shape of a history in the space of a word; the text beside it has its values. */
export function Sparkline({ values }: SparklineProps) {
  if (values.length < 2) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const places = placed(values, { ticks: [], low, high, decimals: 0 })
  return <LineArea places={places} className="h-12 w-full text-accent" />
}

const TONES = {
  accent: 'fill-accent',
  good: 'fill-good',
  warn: 'fill-warn',
  muted: 'fill-muted',
  ink: 'fill-ink',
} as const

export type ChartTone = keyof typeof TONES

export interface ChartPart {
  /** Only for drawing: its height relative to the others. */
  value: number
  tone: ChartTone
}

export interface ChartBar extends ChartStop {
  /** From the bottom up. */
  parts: readonly ChartPart[]
  /** The height of a line over the bars, on their scale. */
  level?: number | undefined
}

export interface BarChartProps extends Omit<ChartFrameProps, 'stops'> {
  bars: readonly ChartBar[]
  className?: string
}

const STEP = 10
const GAP = 2
/** The smallest height of a bar with a value, so that it is visible. */
const LEAST = 1.5

/**
 * Stacked bars from 0 with their axes; a slider chooses one. Drawn as SVG: a chart library would be a hundred times as
 * large.
 */
export function BarChart({ bars, className = 'h-32', ...frame }: BarChartProps) {
  const scale = scaleOf(
    bars.map((bar) => Math.max(sum(bar.parts), bar.level ?? 0)),
    { fromZero: true },
  )
  const isChosen = bars.some((bar) => bar.key === frame.selected)
  const current = currentOf(bars, frame.selected)
  return (
    <ChartFrame {...frame} stops={bars} scale={scale} current={current} className={className}>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${Math.max(1, bars.length) * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        className="absolute inset-0 size-full"
      >
        {bars.map((bar, place) => (
          <g key={bar.key} className={cx(isChosen && bar.key !== frame.selected && 'opacity-50')}>
            <Stack parts={bar.parts} top={scale.high} x={place * STEP} />
          </g>
        ))}
        <Levels bars={bars} top={scale.high} />
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
            <rect width="8" height="8" rx="2.5" className={TONES[item.tone]} />
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
