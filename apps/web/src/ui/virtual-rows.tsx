import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import {
  measureElement,
  useWindowVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import {
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { cx, history, useTranslation } from '../lib/index.ts'
import { Spinner } from './button.tsx'
import { ErrorState } from './states.tsx'

/** A row of a list: an item, or the heading of a group. */
export type ListRow<T> =
  | { readonly kind: 'heading'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'item'
      readonly key: string
      readonly item: T
      /** Its position among the items, from 1. */
      readonly place: number
      /** True for the first and the last item of a group, or of a list without groups. */
      readonly isFirst: boolean
      readonly isLast: boolean
    }

/**
 * Returns the rows of a list; `groupOf` names the group of an item, and the items of a group are adjacent.
 */
export function rowsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  groupOf: ((item: T) => string) | undefined,
): ListRow<T>[] {
  const rows: ListRow<T>[] = []
  const groups = items.map((item) => groupOf?.(item) ?? null)
  items.forEach((item, index) => {
    const own = groups[index]!
    const isFirst = index === 0 || own !== groups[index - 1]
    if (own !== null && isFirst) rows.push({ kind: 'heading', key: `heading ${own}`, text: own })
    const isLast = index === items.length - 1 || groups[index + 1] !== own
    rows.push({ kind: 'item', key: keyOf(item), item, place: index + 1, isFirst, isLast })
  })
  return rows
}

type Paging = Pick<
  UseInfiniteQueryResult,
  'isFetchingNextPage' | 'isFetchNextPageError' | 'hasNextPage' | 'fetchNextPage'
>

export interface VirtualRowsProps<T> {
  /** The key under which the measured heights are stored, so that the position can be restored. */
  place: string
  rows: readonly ListRow<T>[]
  query: Paging
  render: (item: T) => ReactNode
  estimatePx: number
  label: string
  /** Draws the items of a group as the lines of one card. */
  joined: boolean
}

const HEADING_PX = 40
/** The number of rows that are rendered before and after the visible ones. */
const OVERSCAN_ROWS = 4
/** The number of rows before the end at which the next page is requested. */
const AHEAD_ROWS = 12

interface Heights {
  /** Those of the measured rows. */
  readonly rows: VirtualItem[]
  /** The height of the first measured row between two others, which is the estimate of all others; null before. */
  readonly typicalPx: number | null
}

/** Heights of lists that were left; the router restores the page's scroll position. */
const measured = new Map<string, Heights>()
const MAX_PLACES = 30

function keep(place: string, heights: Heights) {
  measured.delete(place)
  measured.set(place, heights)
  const [oldest] = measured.keys()
  if (measured.size > MAX_PLACES && oldest !== undefined) measured.delete(oldest)
}

/**
 * Keeps the heights of a list as they are when another page is requested, because the router keeps the scroll position of that moment:
 * heights above the visible rows that are measured while the other page loads would not fit it.
 */
function useKeptHeights(place: string, virtualizer: Rows, typicalPx: { readonly current: number | null }) {
  useEffect(() => {
    const { href } = history.location
    let atLeaving: Heights | null = null
    const heights = () => ({ rows: virtualizer.takeSnapshot(), typicalPx: typicalPx.current })
    const stop = history.subscribe(({ location }) => {
      atLeaving = location.href === href ? null : (atLeaving ?? heights())
    })
    return () => {
      stop()
      keep(place, atLeaving ?? heights())
    }
  }, [place, virtualizer, typicalPx])
}

/** Renders the visible rows of a list that scrolls with the page, and requests the next page near its end. */
export function VirtualRows<T>(props: VirtualRowsProps<T>) {
  const { place, rows, query, render, estimatePx, label, joined } = props
  const list = useRef<HTMLUListElement>(null)
  const top = useTopOf(list)
  // Another function makes the virtualizer position every row again, which takes longer than rendering for a
  // list of thousands.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows])
  // A wrong estimate would position all rows again for each row that comes into view.
  const typicalPx = useRef(measured.get(place)?.typicalPx ?? null)
  // Once, because reading the size of the window may force a layout. What stands above a list leaves it half of the window; the rest
  // follows when the window is measured.
  const [initialRect] = useState(() => ({ width: window.innerWidth, height: window.innerHeight / 2 }))
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: (index) =>
      rows[index]?.kind === 'heading' ? HEADING_PX : (typicalPx.current ?? estimatePx),
    getItemKey,
    measureElement: (element, entry, virtualizer) => {
      const px = sizeOf(element, entry, virtualizer)
      const row = rows[virtualizer.indexFromElement(element)]
      if (entry !== undefined && row?.kind === 'item' && !row.isFirst && !row.isLast) typicalPx.current ??= px
      return px
    },
    // The first rows are rendered with the list, in parts, and not at once after it.
    initialRect,
    initialMeasurementsCache: measured.get(place)?.rows ?? [],
    scrollMargin: top,
    overscan: OVERSCAN_ROWS,
    // While the same rows are visible, scrolling renders nothing again.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  })
  useKeptHeights(place, virtualizer, typicalPx)
  const shown = useRowsToDraw(virtualizer)
  useNextPage(query, shown.at(-1)?.index ?? 0, rows.length)
  const { containerRef } = virtualizer
  const ref = useCallback(
    (node: HTMLUListElement | null) => {
      list.current = node
      containerRef(node)
    },
    [containerRef],
  )
  const count = useMemo(() => rows.filter((row) => row.kind === 'item').length, [rows])
  const size = query.hasNextPage ? -1 : count
  return (
    <>
      <ul ref={ref} aria-label={label} className="relative">
        {shown.map(({ index, key }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              className={cx(
                'absolute inset-x-0',
                joined && row.kind === 'item' && !row.isLast ? 'pb-0' : 'pb-3',
              )}
              {...(row.kind === 'item' && { 'aria-posinset': row.place, 'aria-setsize': size })}
            >
              <RowContent row={row} render={render} joined={joined} />
            </li>
          )
        })}
      </ul>
      <ListEnd query={query} />
    </>
  )
}

type Rows = Virtualizer<Window, HTMLLIElement>

/**
 * Returns the size of a row that the browser reports, and the estimate until then: measuring would force a
 * layout during rendering, and the report arrives before the row is visible.
 */
const sizeOf = (row: HTMLLIElement, entry: ResizeObserverEntry | undefined, rows: Rows): number => {
  if (entry !== undefined) return measureElement(row, entry, rows)
  const index = rows.indexFromElement(row)
  return rows.itemSizeCache.get(rows.options.getItemKey(index)) ?? rows.options.estimateSize(index)
}

/**
 * Returns the rows to render: the visible ones with some around them, and after a jump, such as Page Down,
 * only the visible ones. The others follow when the page comes to rest.
 */
export function rowsToDraw<Item extends { readonly index: number }>(
  items: readonly Item[],
  { range, isScrolling }: Pick<Rows, 'range' | 'isScrolling'>,
  drawnFrom: number,
): readonly Item[] {
  if (range === null || !isScrolling) return items
  const { startIndex, endIndex } = range
  if (Math.abs(startIndex - drawnFrom) <= OVERSCAN_ROWS) return items
  return items.filter(({ index }) => index >= startIndex && index <= endIndex)
}

function useRowsToDraw(virtualizer: Rows): readonly VirtualItem[] {
  const drawnFrom = useRef(0)
  const from = virtualizer.range?.startIndex ?? 0
  useLayoutEffect(() => {
    drawnFrom.current = from
  }, [from])
  return rowsToDraw(virtualizer.getVirtualItems(), virtualizer, drawnFrom.current)
}

interface RowContentProps<T> {
  row: ListRow<T>
  render: (item: T) => ReactNode
  joined: boolean
}

function DrawnRow<T>({ row, render, joined }: RowContentProps<T>) {
  if (row.kind === 'heading')
    return <h2 className="-mb-1 px-1 pt-2 text-14 font-semibold text-muted">{row.text}</h2>
  if (!joined) return render(row.item)
  return (
    <div
      className={cx('bg-card px-4', row.isFirst && 'rounded-t-16 pt-1', row.isLast && 'rounded-b-16 pb-1')}
    >
      <div className={row.isFirst ? undefined : 'border-t border-line'}>{render(row.item)}</div>
    </div>
  )
}

/** Scrolling renders only the rows that become visible. */
const RowContent = memo(DrawnRow) as typeof DrawnRow

/** Returns the list's distance from the top of the page in px; it changes while the content above loads. */
function useTopOf(list: { readonly current: HTMLElement | null }): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current !== null) setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}

function useNextPage(query: Paging, lastShown: number, count: number) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  useEffect(() => {
    if (lastShown >= count - AHEAD_ROWS && hasNextPage && !isFetchingNextPage && !isFetchNextPageError)
      void fetchNextPage()
  }, [lastShown, count, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
}

function ListEnd({ query }: { query: Paging }) {
  const { t } = useTranslation()
  if (query.isFetchNextPageError)
    return <ErrorState onRetry={() => void query.fetchNextPage()} retryLabel={t('error.tapToReload')} />
  return (
    <div className="grid min-h-12 place-items-center text-12 text-muted">
      {query.isFetchingNextPage ? <Spinner /> : !query.hasNextPage && t('common.listEnd')}
    </div>
  )
}
