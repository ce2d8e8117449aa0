import { formatMicros } from '@rif/rules'
import { useState } from 'react'
import { formatDay, formatDayShort, formatOwn, TWO_DECIMALS, useTranslation } from '../../../lib/index.ts'
import { ChartTable, LineChart } from '../../../ui/index.ts'
import type { HistoryEvent, PortfolioHistory } from '../portfolio.ts'

const text = (micros: bigint) => formatOwn(formatMicros(micros), TWO_DECIMALS)

export interface TotalChartProps {
  history: PortfolioHistory
  /** By day. */
  events: ReadonlyMap<string, HistoryEvent>
}

/** The total at the end of each day with marked purchases and receipts; the slider selects a day. */
export default function TotalChart({ history, events }: TotalChartProps) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const { days } = history
  const [first, last] = [days[0]!, days.at(-1)!]
  const shown = days.find(({ day }) => day === chosen)
  const eventText = ({ kind, title, micros }: HistoryEvent) =>
    kind === 'paid' && title !== null
      ? t('home.event.package', { name: title })
      : t(`home.event.${kind}`, { amount: text(micros) })
  const between =
    days.length > 4 ? [1, 2].map((third) => days[Math.round((third * (days.length - 1)) / 3)]!.day) : []
  return (
    <div className="flex flex-col gap-1">
      <p aria-live="polite" className="min-h-5 text-14">
        {shown !== undefined && `${formatDay(shown.day)} · ${text(shown.total)} USDT`}
      </p>
      <LineChart
        onHero
        className="h-40"
        label={t('home.history.label')}
        points={days.map(({ day, total }) => {
          const event = events.get(day)
          return {
            key: day,
            // A number only for the height of a point: money itself is never converted to a number.
            value: Number(formatMicros(total)),
            text: () =>
              `${formatDay(day)}: ${text(total)} USDT${event === undefined ? '' : `, ${eventText(event)}`}`,
            event: event === undefined ? undefined : eventText(event),
          }
        })}
        selected={chosen}
        onSelect={setChosen}
        from={formatDayShort(first.day)}
        to={formatDayShort(last.day)}
        between={between.map(formatDayShort)}
      />
      <div className="text-white [&_summary]:text-hero-data [&_th]:bg-transparent">
        <ChartTable
          caption={t('home.history.label')}
          head={[t('home.history.day'), t('home.history.total')]}
          rows={() => days.toReversed().map(({ day, total }) => [formatDay(day), text(total)])}
        />
      </div>
      {history.unknown.size > 0 && <p className="text-12 text-hero-muted">{t('home.history.unknown')}</p>}
    </div>
  )
}
