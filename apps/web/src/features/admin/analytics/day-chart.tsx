import { useState } from 'react'
import { BarChart, type ChartTone, Legend, LineChart } from '../../../ui/index.ts'

interface Day {
  readonly day: string
  /** What the day says in words. */
  readonly text: string
}

/** Bars by day; the chosen day is told below. One day alone is told by the figures beside it. */
export function DayBars({
  label,
  days,
  legend,
}: {
  label: string
  days: readonly (Day & { readonly parts: readonly { value: number; tone: ChartTone }[] })[]
  legend?: readonly { tone: ChartTone; label: string }[]
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  if (days.length < 2) return null
  return (
    <div className="flex flex-col gap-2">
      <BarChart
        label={label}
        bars={days.map(({ day, text, parts }) => ({ key: day, text, parts }))}
        selected={chosen}
        onSelect={setChosen}
        from={days[0]!.day}
        to={days.at(-1)!.day}
      />
      {legend !== undefined && <Legend items={legend} />}
      <Chosen days={days} chosen={chosen} />
    </div>
  )
}

/** A line by day, told like the bars. */
export function DayLine({
  label,
  days,
}: {
  label: string
  days: readonly (Day & { readonly value: number })[]
}) {
  const [chosen, setChosen] = useState<string | null>(null)
  if (days.length < 2) return null
  return (
    <div className="flex flex-col gap-2">
      <LineChart
        label={label}
        points={days.map(({ day, text, value }) => ({ key: day, text, value }))}
        selected={chosen}
        onSelect={setChosen}
        from={days[0]!.day}
        to={days.at(-1)!.day}
      />
      <Chosen days={days} chosen={chosen} />
    </div>
  )
}

function Chosen({ days, chosen }: { days: readonly Day[]; chosen: string | null }) {
  const day = days.find((candidate) => candidate.day === chosen)
  return <p className="min-h-5 text-12 text-muted">{day?.text}</p>
}
