import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatPpm, isZero, useTranslation } from '../../../lib/index.ts'
import { Meter } from '../../../ui/index.ts'
import { FigureCard } from '../analytics/figure-card.tsx'
import type { AnalyticsRange } from '../analytics/range.ts'

/** The amounts paid of those due in a range of days, by class. */
export function PaidTodayCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsRewards', { query: range }))
  return (
    <FigureCard title={t('desk.paid.title')} query={query} csv={{ name: 'analyticsRewards', query: range }}>
      {({ totals }) => {
        const due = totals.filter((row) => !isZero(row.due))
        if (due.length === 0) return <p className="text-14 text-muted">{t('adminAnalytics.rewards.none')}</p>
        return (
          <ul className="flex flex-col gap-4 text-14">
            {due.map((row) => (
              <li key={`${row.class} ${row.unit}`} className="flex flex-col gap-2">
                <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <span>{t(`adminAnalytics.class.${row.class}`)}</span>
                  <span className="ml-auto tabular-nums">
                    <span className="text-muted">
                      {t('desk.paid.of', {
                        paid: formatAmount(row.paid),
                        due: formatAmount(row.due),
                        unit: row.unit,
                      })}
                    </span>{' '}
                    <span className="inline-block min-w-14 text-right font-semibold">
                      {formatPpm(row.coverage_ppm)}
                    </span>
                  </span>
                </span>
                <Meter
                  label={t(`adminAnalytics.class.${row.class}`)}
                  share={row.coverage_ppm / 1_000_000}
                  text={formatPpm(row.coverage_ppm)}
                />
              </li>
            ))}
          </ul>
        )
      }}
    </FigureCard>
  )
}
