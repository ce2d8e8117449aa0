import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { type CsvName, history, saveList, showToast, useTranslation } from '../lib/index.ts'
import { IconButton, Spinner } from './button.tsx'
import { Icon } from './icon.tsx'
import { OutdatedNotice } from './loaded.tsx'
import { ErrorState, ListSkeleton } from './states.tsx'
import { rowsOf, VirtualRows } from './virtual-rows.tsx'

export interface InfiniteListProps<T> {
  /** The result of `useInfiniteQuery(apiList(...))`. */
  query: UseInfiniteQueryResult<InfiniteData<{ items: T[]; next: string | null }>>
  keyOf: (item: T) => string
  /** Renders an item; it is rendered again only when this function or the item changes. */
  render: (item: T) => ReactNode
  /** The heading of an item; a change of it starts a new group. */
  groupOf?: (item: T) => string
  /** The content of an empty list: an `EmptyState` with a next step. */
  empty: ReactNode
  /** An estimate of an item's height in pixels. Each item is measured, and rendered again if it was wrong. */
  estimatePx?: number
  label: string
  /** Draws the items of a group, or the whole list without groups, as the lines of one card. */
  joined?: boolean
  /** Above the items, where there are any. */
  head?: ReactNode
  /** Below the list; drawn with it, so that it does not move. */
  foot?: ReactNode
  /** Pulling the page down from its top loads the list anew: the four lists of the specification's section 2. */
  onRefresh?: () => Promise<unknown>
}

/**
 * An endless list in all its states: skeleton, empty, error with retry, groups, pull-to-refresh. Only visible
 * items are rendered, and the position is restored on return. Pages without an item are skipped.
 */
export function InfiniteList<T>({
  query,
  keyOf,
  render,
  groupOf,
  empty,
  joined = false,
  estimatePx = joined ? 61 : 88,
  label,
  head,
  foot,
  onRefresh,
}: InfiniteListProps<T>) {
  const { t } = useTranslation()
  const pages = query.data?.pages
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  // The same rows until an item or a function changes, because other rows are all rendered again.
  const rows = useMemo(() => rowsOf(items, keyOf, groupOf), [items, keyOf, groupOf])
  const isLookingOn = items.length === 0 && query.hasNextPage && !query.isError
  useEffect(() => {
    if (isLookingOn && !query.isFetching) void query.fetchNextPage()
  }, [isLookingOn, query.isFetching, query.fetchNextPage])
  const isWaiting = query.isPending || isLookingOn
  // The first rows are rendered in parts, so that a phone handles taps meanwhile.
  const wasWaiting = useDeferredValue(isWaiting)
  if (isWaiting || wasWaiting) return <ListSkeleton joined={joined} />
  const retry = () => void query.refetch()
  if (pages === undefined)
    return (
      <>
        <ErrorState onRetry={retry} text={t('common.loadFailed')} retryLabel={t('error.tapToReload')} />
        {foot}
      </>
    )
  // Another filter is another address, and another list with its own position.
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
        <div className="rounded-16 bg-card empty:hidden">{empty}</div>
      ) : (
        <>
          {head}
          <VirtualRows
            key={href}
            place={`${href} ${label}`}
            rows={rows}
            query={query}
            render={render}
            estimatePx={estimatePx}
            label={label}
            joined={joined}
          />
        </>
      )}
      {foot}
    </>
  )
}

const TRIGGER_PX = 64
const MAX_PULL_PX = 96

/**
 * Refreshes the page when it is pulled down from its top, from any place on it. For touch; elsewhere the
 * browser's own reload serves. Rendered beside the content.
 */
export function PullToRefresh({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const { t } = useTranslation()
  const [pull, setPull] = useState(0)
  const [busy, setBusy] = useState(false)
  const refresh = useRef(onRefresh)
  refresh.current = onRefresh

  useEffect(() => {
    let startY: number | null = null
    let way = 0
    let running = false
    const onStart = (event: TouchEvent) => {
      const isOverlay = event.target instanceof Element && event.target.closest('[role$="dialog"]') !== null
      const isPull = window.scrollY <= 0 && !running && !isOverlay && event.touches.length === 1
      startY = isPull ? (event.touches[0]?.clientY ?? null) : null
      way = 0
    }
    const onMove = (event: TouchEvent) => {
      if (startY === null) return
      // Half of the finger's distance, so that it feels like a spring.
      way = Math.min(MAX_PULL_PX, Math.max(0, ((event.touches[0]?.clientY ?? 0) - startY) / 2))
      if (window.scrollY > 0) way = 0
      setPull(way)
    }
    const onEnd = async () => {
      const enough = startY !== null && way >= TRIGGER_PX
      startY = null
      setPull(0)
      if (!enough) return
      running = true
      setBusy(true)
      await refresh.current().catch(() => undefined)
      running = false
      setBusy(false)
    }
    const onCancel = () => {
      startY = null
      setPull(0)
    }
    const listeners = { touchstart: onStart, touchmove: onMove, touchend: onEnd, touchcancel: onCancel }
    for (const [type, listener] of Object.entries(listeners))
      window.addEventListener(type, listener as EventListener, { passive: true })
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        window.removeEventListener(type, listener as EventListener)
    }
  }, [])

  const offset = busy ? TRIGGER_PX : pull
  if (offset === 0) return null
  return (
    <div
      role="status"
      aria-label={busy ? t('common.loading') : undefined}
      className="pointer-events-none fixed inset-x-0 top-2 z-20 flex justify-center"
      style={{ transform: `translateY(${offset}px)`, opacity: Math.min(1, offset / TRIGGER_PX) }}
    >
      <span className="grid size-11 place-items-center rounded-full bg-card text-accent shadow-2">
        {busy ? (
          <Spinner size={24} />
        ) : (
          <span style={{ transform: `rotate(${(offset / TRIGGER_PX) * 270}deg)` }}>
            <Icon name="refresh" size={20} />
          </span>
        )}
      </span>
    </div>
  )
}

export interface CsvButtonProps {
  /** The route of the list. */
  name: CsvName
  /** The filters of the list, so that the file contains the visible data. */
  query: object
}

/** Saves a whole list as a CSV file. Stands in the navigation bar of its page. */
export function CsvButton({ name, query }: CsvButtonProps) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await saveList(name, query)
      showToast(t('common.csvSaved'), { tone: 'good' })
    } catch {
      // The API client has already shown the error.
    } finally {
      setBusy(false)
    }
  }
  if (busy) {
    return (
      <span role="status" aria-label={t('common.loading')} className="grid size-11 place-items-center">
        <Spinner />
      </span>
    )
  }
  return <IconButton icon="withdraw" label={t('common.saveCsv')} onClick={() => void save()} />
}
