import type { AnalyticsSales } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatCount,
  formatDay,
  formatPpm,
  levelName,
  useTranslation,
} from '../../../lib/index.ts'
import { Money } from '../../../ui/index.ts'
import { DayLine, FigureCard, FigureTable, Stats } from './figure-card.tsx'
import { shareOfBefore } from './funnel-share.ts'
import type { AnalyticsRange } from './range.ts'
import { SalesBars } from './sales-bars.tsx'

/** The number of members and of new ones. */
export function MembersCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsMembers', { query: range }))
  return (
    <FigureCard
      title={t('adminAnalytics.members.title')}
      query={query}
      csv={{ name: 'analyticsMembers', query: range }}
    >
      {(data) => (
        <>
          <Stats
            items={[
              { label: t('adminAnalytics.members.all'), value: formatCount(data.members) },
              { label: t('adminAnalytics.members.valid'), value: formatCount(data.valid) },
              { label: t('adminAnalytics.members.joined'), value: `+${formatCount(data.joined)}` },
            ]}
          />
          <DayLine
            whole
            label={t('adminAnalytics.members.chart')}
            days={data.days.map((day) => ({
              day: day.day,
              value: day.members,
              text: t('adminAnalytics.members.day', {
                ...day,
                day: formatDay(day.day),
                members: formatCount(day.members),
              }),
            }))}
          />
          <FigureTable
            caption={t('adminAnalytics.members.levels')}
            head={[t('adminAnalytics.members.level'), t('adminAnalytics.members.count')]}
            rows={data.levels.map(({ level, members }) => ({
              key: `${level}`,
              cells: [levelName(t, level), formatCount(members)],
            }))}
          />
        </>
      )}
    </FigureCard>
  )
}

/** The revenue of orders, by package. */
export function SalesCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsSales', { query: range }))
  return (
    <FigureCard
      wide
      title={t('adminAnalytics.sales.title')}
      query={query}
      csv={{ name: 'analyticsSales', query: range }}
    >
      {({ totals, packages, days }) => (
        <>
          <Stats
            items={[
              {
                label: t('adminAnalytics.sales.base'),
                value: <Money amount={totals.base} unit="USDT" />,
                hint: t('adminAnalytics.sales.paid', { count: totals.paid }),
              },
              { label: t('adminAnalytics.sales.usdt'), value: <Money amount={totals.usdt} unit="USDT" /> },
              { label: t('adminAnalytics.sales.amc'), value: <Money amount={totals.amc} unit="AMC" /> },
            ]}
          />
          <SalesBars label={t('adminAnalytics.sales.chart')} days={days} />
          <FigureTable
            stacks
            caption={t('adminAnalytics.sales.packages')}
            head={[
              t('adminAnalytics.sales.package'),
              t('adminAnalytics.sales.ordered'),
              t('adminAnalytics.sales.cancelled'),
              t('adminAnalytics.sales.paidCount'),
              `${t('adminAnalytics.sales.base')} USDT`,
            ]}
            rows={packages.map((row) => ({ key: `${row.package_id}`, cells: salesCells(row.name, row) }))}
            foot={[{ key: 'total', cells: salesCells(t('adminAnalytics.sales.total'), totals) }]}
          />
        </>
      )}
    </FigureCard>
  )
}

const salesCells = (
  name: string,
  {
    ordered,
    cancelled,
    paid,
    base,
  }: Pick<AnalyticsSales['totals'], 'ordered' | 'cancelled' | 'paid' | 'base'>,
) => [name, formatCount(ordered), formatCount(cancelled), formatCount(paid), formatAmount(base)]

const STEPS = ['visited', 'joined', 'ordered', 'paid'] as const

/** The number of members at each step from sign-up to purchase. */
export function FunnelCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsFunnel', { query: range }))
  return (
    <FigureCard
      title={t('adminAnalytics.funnel.title')}
      query={query}
      csv={{ name: 'analyticsFunnel', query: range }}
    >
      {({ totals }) => {
        const most = Math.max(1, ...STEPS.map((step) => totals[step]))
        return (
          <>
            <ol className="flex flex-col gap-3">
              {STEPS.map((step, place) => {
                const share = place === 0 ? null : shareOfBefore(totals[step], totals[STEPS[place - 1]!])
                return (
                  <li key={step} className="flex flex-col gap-1">
                    <div className="flex items-baseline justify-between gap-3 text-14">
                      <span>{t(`adminAnalytics.funnel.${step}`)}</span>
                      <span className="tabular-nums">
                        <span className="text-16 font-semibold">{formatCount(totals[step])}</span>
                        {share !== null && (
                          <span className="ml-2 text-12 text-muted">
                            {t('adminAnalytics.funnel.ofBefore', { share: formatPpm(share) })}
                          </span>
                        )}
                      </span>
                    </div>
                    <svg
                      aria-hidden="true"
                      viewBox="0 0 100 4"
                      preserveAspectRatio="none"
                      className="h-2 w-full rounded-8 bg-sunken"
                    >
                      <rect width={(100 * totals[step]) / most} height="4" className="fill-accent" />
                    </svg>
                  </li>
                )
              })}
            </ol>
            <p className="text-12 text-muted">{t('adminAnalytics.funnel.hint')}</p>
          </>
        )
      }}
    </FigureCard>
  )
}
