import type { Activity } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import {
  apiList,
  apiQuery,
  dayGroup,
  redirectTo,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { EmptyState, InfiniteList, NavLink, Page, Segmented } from '../../../ui/index.ts'
import { ActivityRow } from '../components/activity-row.tsx'

const PATH = '/pages/my/notifications'

/** The news since the last visit, and all earlier ones. Opening the page marks them as seen on every device. */
export default function NotificationsPage() {
  const { t } = useTranslation()
  const scope = useSearch({ from: PATH }).scope ?? 'news'
  const query = useInfiniteQuery(apiList('activity', { query: scope === 'news' ? { news: '1' } : {} }))
  const seenUpTo = useVisit(query.data?.pages[0]?.items[0])
  const now = new Date()
  return (
    <Page
      title={t('notifications.title')}
      wide
      actions={<NavLink to="/pages/my/announcements">{t('announcements.title')}</NavLink>}
    >
      <Segmented
        label={t('notifications.scope')}
        options={(['news', 'all'] as const).map((value) => ({ value, label: t(`notifications.${value}`) }))}
        value={scope}
        onChange={(value) => redirectTo(PATH, value === 'news' ? {} : { scope: value })}
      />
      <InfiniteList
        key={scope}
        query={query}
        label={t('notifications.title')}
        keyOf={(activity) => activity.activity_id}
        groupOf={(activity) => t(`notifications.${dayGroup(activity.at, now)}`)}
        joined
        render={(activity) => (
          <ActivityRow
            activity={activity}
            isNew={seenUpTo !== null && BigInt(activity.activity_id) > seenUpTo}
          />
        )}
        empty={
          <EmptyState
            icon="bell"
            title={t('notifications.empty')}
            hint={t('notifications.emptyHint')}
            next={{ to: '/pages/shop/index', label: t('home.toShop') }}
          />
        }
      />
    </Page>
  )
}

/**
 * Marks the newest activity as seen. Returns the last activity that had been seen when the page was opened;
 * null while that is unknown.
 */
function useVisit(newest: Activity | undefined): bigint | null {
  const { data } = useQuery({ ...apiQuery('notifications'), staleTime: 0 })
  const [before, setBefore] = useState<bigint | null>(null)
  const { mutate } = useApiMutation('seeNotifications', { refresh: ['notifications'] })
  const noted = useRef<string | null>(null)
  if (before === null && data !== undefined) setBefore(BigInt(data.seen_up_to))
  const id = newest?.activity_id
  useEffect(() => {
    if (before === null || id === undefined || noted.current === id || BigInt(id) <= before) return
    noted.current = id
    mutate({ body: { activity_id: id } })
  }, [before, id, mutate])
  return before
}
