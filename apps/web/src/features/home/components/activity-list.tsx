import { useQuery } from '@tanstack/react-query'
import { apiQuery, PageLink, useIsWidest, useTranslation } from '../../../lib/index.ts'
import { buttonClass, Card, EmptyState, ErrorState, ListSkeleton, Section } from '../../../ui/index.ts'
import { ActivityRow } from './activity-row.tsx'

const SHOWN = 5

/** The latest transactions in the member's books. */
export function ActivityList() {
  const { t } = useTranslation()
  const isWidest = useIsWidest()
  const query = useQuery(apiQuery('activity', { query: { limit: SHOWN } }))
  const items = query.data?.items
  return (
    <Section
      title={t('home.recent')}
      aside={<PageLink to="/pages/rewardList/index">{t('home.allActivity')}</PageLink>}
    >
      {items === undefined && query.isPending && <ListSkeleton rows={3} />}
      {items === undefined && query.isError && <ErrorState onRetry={() => void query.refetch()} />}
      {items !== undefined && (
        <Card className="divide-y divide-line py-1">
          {items.length === 0 && (
            <EmptyState
              icon="activity"
              title={t('home.nothing')}
              action={
                <PageLink to="/pages/shop/index" className={buttonClass('secondary')}>
                  {t('home.toShop')}
                </PageLink>
              }
            />
          )}
          {items.map((activity) => (
            <ActivityRow key={activity.activity_id} activity={activity} hasColumns={isWidest} />
          ))}
        </Card>
      )}
    </Section>
  )
}
