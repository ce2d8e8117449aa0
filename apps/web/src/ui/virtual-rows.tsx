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
import { cx, useTranslation } from '../lib/index.ts'
import { Spinner } from './button.tsx'
import { ErrorState } from './states.tsx'

/** A row of a list: an item, or the heading of a group. */
export type ListRow<T> =
  | { readonly kind: 'heading'; readonly key: string; readonly text: string }
  | {
      readonly kind: 'item'
      readonly key: string
      readonly item: T
      /** Its place among the items, from 1. */
      readonly place: number
      /** Describes whether it is the first or the last item of its group, or of the list without groups. */
      readonly isFirst: boolean
      readonly isLast: boolean
    }

/** The rows of a list; `groupOf` names the group that an item belongs to, and items of a group stand together. */
export function rowsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  groupOf: ((item: T) => string) | undefined,
): ListRow<T>[] {
  const rows: ListRow<T>[] = []
  let group: string | null = null
  items.forEach((item, index) => {
    const own = groupOf?.(item) ?? null
    const next = items[index + 1]
    const isFirst = index === 0 || own !== group
    if (own !== null && isFirst) rows.push({ kind: 'heading', key: `heading ${own}`, text: own })
    group = own
    const isLast = next === undefined || (groupOf?.(next) ?? null) !== own
    rows.push({ kind: 'item', key: keyOf(item), item, place: index + 1, isFirst, isLast })
  })
  return rows
}

type Paging = Pick<
  UseInfiniteQueryResult,
  'isFetchingNextPage' | 'isFetchNextPageError' | 'hasNextPage' | 'fetchNextPage'
>

export interface VirtualRowsProps<T> {
  /** Under which the measured heights are kept, so that coming back finds the same place. */
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
/** The rows that are drawn before and after those in sight. */
const OVERSCAN_ROWS = 4
/** The number of rows before the end at which the next page is requested. */
const AHEAD_ROWS = 12

/** Heights of lists that were left; the page's scroll position itself is the router's to restore. */
const measured = new Map<string, VirtualItem[]>()
const MAX_PLACES = 30

function keep(place: string, heights: VirtualItem[]) {
  measured.delete(place)
  measured.set(place, heights)
  const [oldest] = measured.keys()
  if (measured.size > MAX_PLACES && oldest !== undefined) measured.delete(oldest)
}

/** The rows in sight of a list that scrolls with the page, and the next page when its end comes near. */
export function VirtualRows<T>(props: VirtualRowsProps<T>) {
  const { place, rows, query, render, estimatePx, label, joined } = props
  const list = useRef<HTMLUListElement>(null)
  const top = useTopOf(list)
  // Another function makes the virtualizer place every row anew, which takes a list of thousands longer than drawing.
  const getItemKey = useCallback((index: number) => rows[index]?.key ?? index, [rows])
  const virtualizer = useWindowVirtualizer<HTMLLIElement>({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'heading' ? HEADING_PX : estimatePx),
    getItemKey,
    measureElement: sizeOf,
    initialMeasurementsCache: measured.get(place) ?? [],
    scrollMargin: top,
    overscan: OVERSCAN_ROWS,
    // While the same rows are in sight, scrolling does not draw anything anew.
    directDomUpdates: true,
    directDomUpdatesMode: 'position',
  })
  useEffect(() => () => keep(place, virtualizer.takeSnapshot()), [place, virtualizer])
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
 * Returns the size that the browser tells of a row, and the guess until then: to ask for it lays the page out in the middle of a
 * drawing, and the answer comes before the row is seen.
 */
const sizeOf = (row: HTMLLIElement, entry: ResizeObserverEntry | undefined, rows: Rows): number => {
  if (entry !== undefined) return measureElement(row, entry, rows)
  const index = rows.indexFromElement(row)
  return rows.itemSizeCache.get(rows.options.getItemKey(index)) ?? rows.options.estimateSize(index)
}

/**
 * Returns the rows to draw: those in sight with some around them, and after a leap, such as a press of Page Down, those in sight
 * alone. The others follow when the page comes to rest.
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

/** Scrolling draws only the rows that come into sight. */
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
