import { cx } from '../lib/cx.ts'
import { ChartFrame, type ChartFrameProps, type ChartStop } from './chart-frame.tsx'

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
}

export interface BarChartProps extends Omit<ChartFrameProps, 'stops' | 'children'> {
  bars: readonly ChartBar[]
}

const STEP = 10
const GAP = 2
const HEIGHT = 100
/** A bar with something in it is never too low to be seen. */
const LEAST = 1.5

/**
 * Stacked bars side by side, the highest filling the height; a slider chooses one. Drawn as SVG: a chart library would be a
 * hundred times as large.
 */
export function BarChart({ bars, ...frame }: BarChartProps) {
  const top = Math.max(...bars.map((bar) => sum(bar.parts)), Number.MIN_VALUE)
  const isChosen = bars.some((bar) => bar.key === frame.selected)
  return (
    <ChartFrame {...frame} stops={bars}>
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
      </svg>
    </ChartFrame>
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

/** What the colours of a chart stand for. */
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
