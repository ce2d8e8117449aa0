import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useMemo } from 'react'

/** The loaded rows of a list. */
export interface ListRows<T> {
  /** Undefined until the first are loaded. */
  readonly items: readonly T[] | undefined
  readonly isError: boolean
  readonly retry: () => void
  /** Loads the next page; undefined at the end. */
  readonly more?: (() => void) | undefined
  readonly isReadingMore?: boolean
}

/** Returns the rows of a paged list. Pages without rows are skipped. */
export function useRows<T>(
  query: UseInfiniteQueryResult<InfiniteData<{ items: T[]; next: string | null }>>,
): ListRows<T> {
  const { data, isError, isFetching, hasNextPage, fetchNextPage } = query
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data])
  const isLookingOn = items?.length === 0 && hasNextPage && !isError
  useEffect(() => {
    if (isLookingOn && !isFetching) void fetchNextPage()
  }, [isLookingOn, isFetching, fetchNextPage])
  return {
    items: isLookingOn ? undefined : items,
    isError,
    retry: () => void query.refetch(),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isReadingMore: query.isFetchingNextPage,
  }
}

/** Returns the rows of an unpaged list; `pick` extracts them from the response. */
export function allRows<D, T>(query: UseQueryResult<D>, pick: (data: D) => readonly T[]): ListRows<T> {
  return {
    items: query.data === undefined ? undefined : pick(query.data),
    isError: query.isError,
    retry: () => void query.refetch(),
  }
}

export interface AdminColumn<T> {
  readonly key: string
  readonly head: string
  /** Only texts and labels: a click anywhere in the row opens it. */
  readonly cell: (item: T) => ReactNode
  /** Figures are right-aligned. */
  readonly isFigure?: boolean
  /** Left out beside the details, and in narrow windows. */
  readonly isRoomy?: boolean
}

/** Describes the rows of a list. The first column is the heading of its row. */
export interface ListShape<T> {
  readonly keyOf: (item: T) => string
  /** The name of a row in words: "Withdrawal 12". */
  readonly nameOf: (item: T) => string
  readonly columns: readonly AdminColumn<T>[]
  /** The row on a phone: its subject, its time, a line of text, and labels. */
  readonly line: (item: T) => {
    readonly title: ReactNode
    readonly aside?: ReactNode
    readonly text?: ReactNode
    readonly tags?: ReactNode
  }
  /** Sums below the table: a label, and cells by the key of their column. */
  readonly sums?: (items: readonly T[]) => readonly ListSum[]
}

export interface ListSum {
  readonly key: string
  readonly label: string
  readonly cells: Readonly<Record<string, ReactNode>>
}

/** Returns the id of a row's button. */
export const rowId = (key: string) => `row-${key.replaceAll(/\s/g, '-')}`
