import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useTranslation } from '../../../lib/index.ts'
import { EmptyState, ErrorState, Section, Skeleton } from '../../../ui/index.ts'
import { LaunchCard } from './launch-card.tsx'

const SHOWN = 3

/** The newest launches. */
export function LaunchSection({ vcAvailable }: { vcAvailable: string }) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('launches', { query: { limit: SHOWN } }))
  return (
    <Section
      title={t('exchange.launch.title')}
      aside={
        <PageLink to="/pages/exchange/list" search={{ show: 'launches' }}>
          {t('exchange.list.all')}
        </PageLink>
      }
    >
      {data === undefined && !isError && <Skeleton className="h-52 rounded-12" />}
      {data === undefined && isError && <ErrorState onRetry={() => void refetch()} />}
      {data?.items.length === 0 && (
        <EmptyState icon="fund" title={t('exchange.launch.empty')} hint={t('exchange.launch.emptyHint')} />
      )}
      {data?.items.map((launch) => (
        <LaunchCard key={launch.launch_id} launch={launch} vcAvailable={vcAvailable} />
      ))}
    </Section>
  )
}
