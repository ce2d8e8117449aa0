import { ChartFrame, type ChartFrameProps, type ChartStop, currentOf } from './chart-frame.tsx'
import { HEIGHT, LineArea, placed, WIDTH } from './line-area.tsx'

export interface LinePoint extends ChartStop {
  /** Only for drawing: how high it stands beside the others. */
  value: number
}

export interface LineChartProps extends Omit<ChartFrameProps, 'stops' | 'children'> {
  points: readonly LinePoint[]
}

/** A line over an area, from the lowest value to the highest; a slider chooses a point. */
export function LineChart({ points, ...frame }: LineChartProps) {
  const places = placed(points.map((point) => point.value))
  const mark = places[currentOf(points, frame.selected)]
  const isChosen = points.some((point) => point.key === frame.selected)
  return (
    <ChartFrame {...frame} stops={points}>
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
