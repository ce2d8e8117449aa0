import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'
import { useTranslation } from '../lib/i18n.ts'
import { history } from '../lib/navigation.ts'
import { type ListRow, rowsOf } from './list-rows.ts'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { ErrorState, ListSkeleton, OutdatedNotice } from './states.tsx'
import { VirtualRows } from './virtual-rows.tsx'

export interface InfiniteListProps<T> {
  /** What `useInfiniteQuery(apiList(...))` gives. */
  query: UseInfiniteQueryResult<InfiniteData<{ items: T[]; next: string | null }>>
  keyOf: (item: T) => string
  /** Draws an item; it is drawn again only when this function or the item is another. */
  render: (item: T) => ReactNode
  /** The heading an item stands under; a change of it starts a new group. */
  groupOf?: (item: T) => string
  /** Shown when there is nothing: an `EmptyState` with a next step. */
  empty: ReactNode
  /** A guess of an item's height in pixels; it is measured after. */
  estimatePx?: number
  label: string
  /** Pulling the page down from its top loads the list anew: the four lists of the specification's section 2. */
  onRefresh?: () => Promise<unknown>
}

/**
 * An endless list in all its states: skeleton, empty, error with retry, groups, pull-to-refresh. Only what is in sight
 * is drawn, and whoever comes back finds the place where they left. Pages without an item are read over.
 */
export function InfiniteList<T>({
  query,
  keyOf,
  render,
  groupOf,
  empty,
  estimatePx = 88,
  label,
  onRefresh,
}: InfiniteListProps<T>) {
  const { t } = useTranslation()
  const pages = query.data?.pages
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const isLookingOn = items.length === 0 && query.hasNextPage && !query.isError
  useEffect(() => {
    if (isLookingOn && !query.isFetching) void query.fetchNextPage()
  }, [isLookingOn, query.isFetching, query.fetchNextPage])
  if (query.isPending || isLookingOn) return <ListSkeleton />
  const retry = () => void query.refetch()
  if (pages === undefined) return <ErrorState onRetry={retry} retryLabel={t('error.tapToReload')} />
  const rows: ListRow<T>[] = rowsOf(items, keyOf, groupOf)
  // Another filter is another address, and another list with a place of its own.
  const { href } = history.location
  return (
    <>
      {onRefresh !== undefined && <PullToRefresh onRefresh={onRefresh} />}
      {query.isRefetchError && (
        <OutdatedNotice isBusy={query.isFetching} onRetry={retry}>
          {t('common.listStale')}
        </OutdatedNotice>
      )}
      {items.length === 0 ? (
        empty
      ) : (
        <VirtualRows
          key={href}
          place={`${href} ${label}`}
          rows={rows}
          query={query}
          render={render}
          estimatePx={estimatePx}
          label={label}
        />
      )}
    </>
  )
}
