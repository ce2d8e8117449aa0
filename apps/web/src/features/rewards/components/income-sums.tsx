import type { RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { apiQuery, isZero, PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Loaded, Money, Section, Skeleton } from '../../../ui/index.ts'
import { SUM_NAMES } from './reward-row.tsx'

export type Incomes = Pick<
  RouteData<'profitAll'>,
  'sums' | 'profit_sum' | 'yesterday_profit' | 'yesterday_profit_amc'
>

/** The paid rewards: in total, yesterday, and by kind. */
export function IncomeSums({ incomes }: { incomes: Incomes }) {
  const { t } = useTranslation()
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <p className="text-14 text-muted">{t('rewards.total')}</p>
        <Money own amount={incomes.profit_sum} unit="USDT" className="text-28 font-semibold" />
        <p className="mt-1 text-14 text-muted">
          {t('rewards.yesterday')}{' '}
          <Money own amount={incomes.yesterday_profit} unit="USDT" signed className="text-ink" />
          {!isZero(incomes.yesterday_profit_amc) && (
            <>
              {' '}
              <Money own amount={incomes.yesterday_profit_amc} unit="AMC" signed className="text-ink" />
            </>
          )}
        </p>
      </div>
      <section aria-label={t('rewards.sumsLabel')}>
        <dl className="grid grid-cols-2 gap-3">
          {SUM_NAMES.map((name) => (
            <div
              key={name}
              className="flex flex-col justify-between rounded-12 bg-sunken p-3 max-[359px]:px-2"
            >
              <dt className="text-12 text-muted">{t(`rewards.sum.${name}`)}</dt>
              <dd className="mt-1">
                <Money
                  own
                  amount={incomes.sums[name]}
                  unit="USDT"
                  className="text-16 font-semibold max-[359px]:text-14"
                />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    </Card>
  )
}

const EarningsChart = lazy(() => import('./earnings-chart.tsx'))

/**
 * Rewards of the last 30 days as a chart, loaded after the list. Nothing is shown before the first payment.
 */
export function EarningsCard() {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('profitDay', { query: { limit: 30 } }))
  if (query.data !== undefined && query.data.items.length === 0) return null
  return (
    <Section
      title={t('rewards.chart.title')}
      aside={<PageLink to="/pages/rewardList/coverage">{t('rewards.coverage.link')}</PageLink>}
    >
      <Card>
        <Loaded query={query} skeleton={<Skeleton className="h-56 rounded-8" />}>
          {({ items }) => <EarningsChart days={items} />}
        </Loaded>
      </Card>
    </Section>
  )
}
