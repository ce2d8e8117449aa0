import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { Card, Loaded, Section, Skeleton } from '../../../ui/index.ts'

const EarningsChart = lazy(() => import('./earnings-chart.tsx'))

/** Rewards of the last 30 days as a chart, loaded after the list is there. Nothing is shown where nothing was paid yet. */
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
