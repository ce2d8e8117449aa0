import type { AnalyticsRewards, PaidClass } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, formatAmount, formatPpm, useTranslation } from '../../../lib/index.ts'
import { Money, Segmented } from '../../../ui/index.ts'
import { DayBars } from './day-chart.tsx'
import { FigureCard, FigureTable } from './figure-card.tsx'
import type { DayRange } from './range.ts'

const CLASSES = ['commission', 'pairing', 'management', 'static', 'savings', 'dividend'] as const

/** What was due and paid of each class, and by day of the chosen one. */
export function RewardsCard({ range }: { range: DayRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsRewards', { query: range }))
  return (
    <FigureCard
      wide
      title={t('adminAnalytics.rewards.title')}
      query={query}
      csv={{ name: 'analyticsRewards', query: range }}
    >
      {(data) =>
        data.totals.length === 0 ? (
          <p className="text-14 text-muted">{t('adminAnalytics.rewards.none')}</p>
        ) : (
          <Rewards data={data} />
        )
      }
    </FigureCard>
  )
}

function Rewards({ data }: { data: AnalyticsRewards }) {
  const { t } = useTranslation()
  const present = CLASSES.filter((name) => data.totals.some((row) => row.class === name))
  const [chosen, setChosen] = useState<PaidClass>(present[0]!)
  const shown = present.includes(chosen) ? chosen : present[0]!
  // One asset to a chart: what is paid in two has the first of them drawn, and both in the table.
  const unit = data.totals.find((row) => row.class === shown)!.unit
  const days = data.days.filter((row) => row.class === shown && row.unit === unit)
  return (
    <>
      <FigureTable
        stacks
        caption={t('adminAnalytics.rewards.title')}
        head={(['class', 'due', 'paid', 'coverage'] as const).map((name) =>
          t(`adminAnalytics.rewards.${name}`),
        )}
        rows={data.totals.map((row) => ({
          key: `${row.class} ${row.unit}`,
          cells: [
            t(`adminAnalytics.class.${row.class}`),
            <Money key="due" amount={row.due} unit={row.unit} />,
            <Money key="paid" amount={row.paid} unit={row.unit} />,
            formatPpm(row.coverage_ppm),
          ],
        }))}
      />
      {present.length > 1 && (
        <Segmented
          label={t('adminAnalytics.rewards.choose')}
          options={present.map((value) => ({ value, label: t(`adminAnalytics.class.${value}`) }))}
          value={shown}
          onChange={setChosen}
        />
      )}
      <DayBars
        key={shown}
        label={t('adminAnalytics.rewards.chart', { name: t(`adminAnalytics.class.${shown}`) })}
        legend={[
          { tone: 'good', label: t('adminAnalytics.rewards.paid') },
          { tone: 'warn', label: t('adminAnalytics.rewards.unpaid') },
        ]}
        days={days.map((row) => ({
          day: row.day,
          parts: [
            { value: Number(row.paid), tone: 'good' },
            { value: Number(row.due) - Number(row.paid), tone: 'warn' },
          ],
          text: t('adminAnalytics.rewards.day', {
            day: row.day,
            due: formatAmount(row.due),
            paid: formatAmount(row.paid),
            unit: row.unit,
          }),
        }))}
      />
    </>
  )
}
