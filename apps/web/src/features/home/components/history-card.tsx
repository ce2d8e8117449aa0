import { useQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { apiQuery, isZero, useTranslation } from '../../../lib/index.ts'
import { Card, Loaded, Section, Segmented, Skeleton } from '../../../ui/index.ts'

const HistoryChart = lazy(() => import('./history-chart.tsx'))

const SPANS = ['7', '30', '90'] as const
type Span = (typeof SPANS)[number]

/** How the worth of the account went over the last days. Nothing is shown where there never was anything. */
export function HistoryCard() {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const query = useQuery({
    ...apiQuery('balanceDays', { query: { days: Number(span) + 1 } }),
    placeholderData: (previous) => previous,
  })
  if (query.data?.items.every(({ worth, amc }) => isZero(worth) && isZero(amc))) return null
  return (
    <Section title={t('home.history.title')}>
      <Card className="flex flex-col gap-3">
        <Segmented
          label={t('home.history.span')}
          options={SPANS.map((value) => ({ value, label: t('home.history.days', { count: Number(value) }) }))}
          value={span}
          onChange={setSpan}
        />
        <Loaded query={query} skeleton={<Skeleton className="h-56 rounded-8" />}>
          {({ items }) => <HistoryChart days={items} />}
        </Loaded>
      </Card>
    </Section>
  )
}
