import type { UseQueryResult } from '@tanstack/react-query'
import { type CSSProperties, type ReactNode, useCallback } from 'react'
import { cx, useIsWide } from '../lib/index.ts'
import { Card, Section } from './card.tsx'
import { InfiniteList, type InfiniteListProps } from './infinite-list.tsx'
import { Loaded } from './loaded.tsx'
import { ListSkeleton } from './states.tsx'

/** A column of a list that is drawn as a table. */
export interface ListColumn<T> {
  name: string
  /** Its track in the grid; `1fr` by default. */
  width?: string
  /** Aligned at the right end of its column, like figures. */
  end?: boolean
  cell: (item: T) => ReactNode
}

export interface TableListProps<T> extends Omit<InfiniteListProps<T>, 'joined' | 'head'> {
  /** Used from 1024 px on; below it, `render` draws a line. The same array and functions until a text changes, so that no row is drawn again. */
  columns: readonly ListColumn<T>[]
  /** The link or button around the cells of a line; without it a line only shows data. */
  line?: (item: T, look: string, cells: ReactNode) => ReactNode
}

/** An endless list: one card of lines, from 1024 px on a table with a sticky head. */
export function TableList<T>({ columns, line, render, ...list }: TableListProps<T>) {
  const isWide = useIsWide()
  // Another function draws all rows again.
  const draw = useCallback(
    (item: T) => {
      const cells = columns.map(({ name, end, cell }) => (
        <span key={name} className={cx('min-w-0 break-words', end && 'text-right')}>
          <span className="sr-only">{name} </span>
          {cell(item)}
        </span>
      ))
      return line === undefined ? <div className={LINE}>{cells}</div> : line(item, `${LINE} ${OPENS}`, cells)
    },
    [columns, line],
  )
  if (!isWide) return <InfiniteList {...list} joined render={render} />
  const tracks = columns.map(({ width = '1fr' }) => `minmax(0,${width})`).join(' ')
  return (
    <div style={{ '--columns': tracks } as CSSProperties}>
      <InfiniteList
        {...list}
        joined
        estimatePx={57}
        render={draw}
        head={
          // Each cell has the name of its column for a screen reader.
          <div aria-hidden="true" className={HEAD}>
            {columns.map(({ name, end }) => (
              <span key={name} className={end ? 'text-right' : undefined}>
                {name}
              </span>
            ))}
          </div>
        }
      />
    </div>
  )
}

const HEAD =
  'sticky top-16 z-[5] grid grid-cols-(--columns) gap-x-4 bg-page px-4 pb-2 pt-1 text-12 font-medium text-muted'
const LINE =
  '-mx-4 grid min-h-14 w-[calc(100%+2rem)] grid-cols-(--columns) items-center gap-x-4 px-4 py-2 text-left text-14'
const OPENS = 'hover:bg-sunken'

export interface RecentProps<T> {
  title: string
  /** The link to the complete list. */
  all: ReactNode
  query: UseQueryResult<{ items: T[] }>
  keyOf: (item: T) => string
  /** Draws an entry as a `Row` or `LinkRow`. */
  render: (item: T) => ReactNode
  /** The text of an empty list. */
  none: string
}

/** The last entries of a history, beside the form that adds to it. */
export function Recent<T>({ title, all, query, keyOf, render, none }: RecentProps<T>) {
  return (
    <Section title={title} aside={all}>
      <Loaded query={query} skeleton={<ListSkeleton rows={3} joined />}>
        {({ items }) => (
          <Card className={items.length === 0 ? 'text-14 text-muted' : 'py-1'}>
            {items.length === 0 && none}
            <ul aria-label={title} className="divide-y divide-line">
              {items.map((item) => (
                <li key={keyOf(item)}>{render(item)}</li>
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
    </Section>
  )
}
