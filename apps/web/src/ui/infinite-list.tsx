import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Spinner } from './button.tsx'
import { PullToRefresh } from './pull-to-refresh.tsx'
import { ErrorState, ListSkeleton } from './states.tsx'

export interface InfiniteListProps<T> {
  /** What `useInfiniteQuery(apiList(...))` gives. */
  query: UseInfiniteQueryResult<InfiniteData<{ items: T[]; next: string | null }>>
  keyOf: (item: T) => string
  render: (item: T) => ReactNode
  /** The heading an item stands under; a change of it starts a new group. */
  groupOf?: (item: T) => string
  /** Shown when there is nothing: an `EmptyState` with a next step. */
  empty: ReactNode
  /** A guess of an item's height in pixels; it is measured after. */
  estimatePx?: number
  label: string
}

type Row<T> = { kind: 'heading'; text: string } | { kind: 'item'; item: T }

function rowsOf<T>(items: readonly T[], groupOf: ((item: T) => string) | undefined): Row<T>[] {
  let group: string | null = null
  return items.flatMap((item): Row<T>[] => {
    const own = groupOf?.(item) ?? null
    const starts = own !== null && own !== group
    group = own
    return starts
      ? [
          { kind: 'heading', text: own },
          { kind: 'item', item },
        ]
      : [{ kind: 'item', item }]
  })
}

/** An endless list in all its states: skeleton, empty, error with retry, groups, pull-to-refresh. Only what is in sight is drawn. */
export function InfiniteList<T>({
  query,
  keyOf,
  render,
  groupOf,
  empty,
  estimatePx = 88,
  label,
}: InfiniteListProps<T>) {
  if (query.isPending) return <ListSkeleton />
  if (query.isError && query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <PullToRefresh onRefresh={() => query.refetch()}>
      {items.length === 0 ? (
        empty
      ) : (
        <VirtualRows
          rows={rowsOf(items, groupOf)}
          query={query}
          keyOf={keyOf}
          render={render}
          estimatePx={estimatePx}
          label={label}
        />
      )}
    </PullToRefresh>
  )
}

interface VirtualRowsProps<T> extends Pick<InfiniteListProps<T>, 'query' | 'keyOf' | 'render' | 'label'> {
  rows: Row<T>[]
  estimatePx: number
}

function VirtualRows<T>({ rows, query, keyOf, render, estimatePx, label }: VirtualRowsProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? 40 : estimatePx),
    getItemKey: (index) => {
      const row = rows[index]
      return row === undefined ? index : row.kind === 'heading' ? `heading ${row.text}` : keyOf(row.item)
    },
    scrollMargin: top,
    overscan: 6,
  })
  const shown = virtualizer.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  useEffect(() => {
    if (last >= rows.length - 4 && hasNextPage && !isFetchingNextPage && !isFetchNextPageError)
      void fetchNextPage()
  }, [last, rows.length, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  return (
    <>
      <ul ref={list} aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const row = rows[index]
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className="absolute inset-x-0 pb-3"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              {row?.kind === 'heading' && (
                <h2 className="px-1 pt-2 text-14 font-semibold text-muted">{row.text}</h2>
              )}
              {row?.kind === 'item' && render(row.item)}
            </li>
          )
        })}
      </ul>
      <ListEnd query={query} />
    </>
  )
}

function ListEnd({
  query,
}: {
  query: Pick<
    UseInfiniteQueryResult,
    'isFetchingNextPage' | 'isFetchNextPageError' | 'hasNextPage' | 'fetchNextPage'
  >
}) {
  const { t } = useTranslation()
  if (query.isFetchNextPageError) return <ErrorState onRetry={() => void query.fetchNextPage()} />
  return (
    <div className="grid min-h-12 place-items-center text-12 text-muted">
      {query.isFetchingNextPage ? <Spinner /> : !query.hasNextPage && t('common.listEnd')}
    </div>
  )
}
