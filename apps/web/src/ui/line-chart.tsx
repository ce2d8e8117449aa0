import { HEIGHT, pathOf, placed, WIDTH } from './line-shape.ts'

export interface LinePoint {
  key: string
  /** Only for drawing: how high it stands beside the others. */
  value: number
  /** What the point says in words; read out when it is chosen. */
  text: string
}

export interface LineChartProps {
  label: string
  points: readonly LinePoint[]
  selected: string | null
  onSelect: (key: string) => void
  /** Stand below the first and the last point. */
  from: string
  to: string
}

/**
 * A line over an area, from the lowest value to the highest. A slider over the whole drawing chooses a point, by finger or by
 * arrow keys, and reads it out; it stands on the last point until then.
 */
export function LineChart({ label, points, selected, onSelect, from, to }: LineChartProps) {
  const index = points.findIndex((point) => point.key === selected)
  const current = index === -1 ? points.length - 1 : index
  const places = placed(points.map((point) => point.value))
  const line = pathOf(places)
  const mark = places[current]
  return (
    <figure className="flex flex-col gap-1">
      <div className="relative rounded-8 has-focus-visible:outline-2 has-focus-visible:outline-accent">
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          className="h-36 w-full overflow-visible"
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
          {mark !== undefined && index !== -1 && (
            <path
              d={`M${mark.x} 0V${HEIGHT}`}
              strokeWidth="1"
              vectorEffect="non-scaling-stroke"
              className="stroke-muted"
            />
          )}
        </svg>
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
        <input
          type="range"
          min={0}
          max={points.length - 1}
          value={current}
          aria-label={label}
          aria-valuetext={points[current]?.text}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={(event) => onSelect(points[event.target.valueAsNumber]!.key)}
        />
      </div>
      <div aria-hidden="true" className="flex justify-between text-12 text-muted">
        <span>{from}</span>
        <span>{to}</span>
      </div>
    </figure>
  )
}
