import type { ReactNode } from 'react'

/** A point or a bar of a chart, as it is chosen. */
export interface ChartStop {
  key: string
  /** What it says in words; read out when it is chosen. */
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
export function currentOf(stops: readonly ChartStop[], selected: string | null): number {
  const index = stops.findIndex((stop) => stop.key === selected)
  return index === -1 ? stops.length - 1 : index
}

/** A drawing under a slider that chooses a stop of it, by finger or by arrow keys, and reads it out; and its axis. */
export function ChartFrame({ label, stops, selected, onSelect, from, to, children }: ChartFrameProps) {
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
