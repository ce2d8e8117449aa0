import { HEIGHT, pathOf, placed, WIDTH } from './line-shape.ts'

export interface SparklineProps {
  /** Only for drawing: how high each point stands beside the others. */
  values: readonly number[]
}

/** The shape of a history in the space of a word; what it says stands in words beside it. */
export function Sparkline({ values }: SparklineProps) {
  if (values.length < 2) return null
  const line = pathOf(placed(values))
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-12 w-full overflow-visible"
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
    </svg>
  )
}
