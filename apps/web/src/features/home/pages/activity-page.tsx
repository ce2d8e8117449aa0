import type { Activity, RouteInput } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import {
  apiList,
  dayWords,
  PageLink,
  type PageSearch,
  switchTab,
  useIsWide,
  useIsWidest,
  useListRefresh,
  useTranslation,
} from '../../../lib/index.ts'
import {
  buttonClass,
  Columns,
  CsvButton,
  EmptyState,
  IconButton,
  InfiniteList,
  Later,
  NothingFiltered,
  Page,
} from '../../../ui/index.ts'
import { kindsNamed } from '../activity-view.ts'
import { ActivityRow } from '../components/activity-row.tsx'
import { FeedChips } from '../components/feed-chips.tsx'
import { FeedSearch } from '../components/feed-search.tsx'
import { UnderWay } from '../components/under-way.tsx'

type Search = PageSearch<'/pages/rewardList/index'>

const idOf = ({ activity_id }: Activity) => activity_id

/**
 * All transactions of the member's books: unfinished items first, then by day; with search, dates, kinds and
 * a file.
 */
export default function ActivityPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: '/pages/rewardList/index' })
  const { group, q, from, to } = search
  const isFiltered = [q, from, to].some((value) => value !== undefined)
  const [isOpen, setIsOpen] = useState(isFiltered)
  const filter = filterOf(search, (kind) => t(`activity.kind.${kind}`))
  const query = useInfiniteQuery(apiList('activity', { query: filter }))
  const refresh = useListRefresh('activity')
  const isWide = useIsWide()
  const isWidest = useIsWidest()
  const searchFields = (isOpen || isWide) && <FeedSearch search={search} />
  const hasUnderWay = group === undefined && !isFiltered
  const list = (
    <Later>
      <InfiniteList
        key={[group, q, from, to].join()}
        query={query}
        onRefresh={refresh}
        label={t('feed.title')}
        estimatePx={65}
        keyOf={idOf}
        groupOf={useCallback((activity: Activity) => dayTitle(activity.at, new Date(), t), [t])}
        joined
        render={useCallback(
          (activity: Activity) => <ActivityRow activity={activity} isUnderDay hasColumns={isWidest} />,
          [isWidest],
        )}
        empty={<Nothing isFiltered={isFiltered || group !== undefined} />}
        foot={<p className="pt-3 text-center text-12 text-muted">{t('feed.footer')}</p>}
      />
    </Later>
  )
  return (
    <Page
      title={t('feed.title')}
      back={false}
      wide
      actions={
        <>
          {!isWide && (
            <IconButton
              icon="search"
              label={t('feed.searchOpen')}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            />
          )}
          <CsvButton name="activity" query={filter} />
        </>
      }
    >
      <FeedChips current={group ?? 'all'} />
      {isWide ? (
        <Columns
          side={
            <>
              {hasUnderWay && <UnderWay />}
              {searchFields}
            </>
          }
        >
          {list}
        </Columns>
      ) : (
        <>
          {searchFields}
          {hasUnderWay ? <UnderWay>{list}</UnderWay> : list}
        </>
      )}
    </Page>
  )
}

/** Returns the heading of a day in the member's zone and language, such as "Today, Sunday 22 November". */
function dayTitle(at: string, now: Date, t: ReturnType<typeof useTranslation>['t']): string {
  const { words, group } = dayWords(at, now)
  if (group === 'today') return t('feed.todayIs', { day: words })
  return group === 'yesterday' ? t('feed.yesterdayWas', { day: words }) : words
}

/** Days in the member's time zone: from midnight of the first to the end of the last. */
function filterOf(
  { group, q, from, to }: Search,
  nameOf: Parameters<typeof kindsNamed>[1],
): NonNullable<RouteInput<'activity'>['query']> {
  const kinds = q === undefined ? [] : kindsNamed(q, nameOf)
  const midnight = (day: string, plusDays: number) => {
    const date = new Date(`${day}T00:00`)
    date.setDate(date.getDate() + plusDays)
    return date.toISOString()
  }
  return {
    ...(group !== undefined && { group }),
    ...(q !== undefined && { q }),
    ...(kinds.length > 0 && { kinds: kinds.join(',') }),
    ...(from !== undefined && { from: midnight(from, 0) }),
    ...(to !== undefined && { until: midnight(to, 1) }),
  }
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const { t } = useTranslation()
  if (isFiltered) {
    return (
      <NothingFiltered
        title={t('feed.notFound')}
        hint={t('feed.notFoundHint')}
        onShowAll={() => switchTab('/pages/rewardList/index')}
      />
    )
  }
  return (
    <EmptyState
      icon="activity"
      title={t('feed.empty')}
      action={
        <PageLink to="/pages/shop/index" className={buttonClass('secondary')}>
          {t('feed.toShop')}
        </PageLink>
      }
    />
  )
}
