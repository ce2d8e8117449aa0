import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type CsvName, cx, useTranslation } from '../../../lib/index.ts'
import { Card, CsvButton, DataTable, type DataTableProps, ErrorState, Skeleton } from '../../../ui/index.ts'

export interface FigureCardProps<T> {
  title: string
  query: UseQueryResult<T>
  /** The route whose table is saved, and for which days. */
  csv?: { name: CsvName; query: object }
  /** Takes two columns where there are three, or all of them. */
  wide?: boolean | 'all'
  children: (data: T) => ReactNode
}

/** A part of the page with figures of its own: it loads, fails and is tried again by itself. */
export function FigureCard<T>({ title, query, csv, wide = false, children }: FigureCardProps<T>) {
  return (
    <section
      aria-label={title}
      className={cx('min-w-0', wide !== false && 'md:col-span-2', wide === 'all' && 'xl:col-span-3')}
    >
      <Card className="flex h-full flex-col gap-3">
        <div className="flex min-h-11 items-center justify-between gap-3">
          <h2 className="text-16 font-semibold">{title}</h2>
          {csv !== undefined && <CsvButton name={csv.name} query={csv.query} />}
        </div>
        {query.data !== undefined ? (
          children(query.data)
        ) : query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <div className="flex flex-col gap-3">
            <Skeleton className="h-8 w-32" />
            <Skeleton className="h-32 w-full" />
          </div>
        )}
      </Card>
    </section>
  )
}

/** Figures side by side, each under what it is. */
export function Stats({
  items,
}: {
  items: readonly { label: string; value: ReactNode; hint?: ReactNode }[]
}) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-x-4 gap-y-3">
      {items.map((item) => (
        <div key={item.label} className="min-w-0">
          <dt className="text-12 text-muted">{item.label}</dt>
          <dd className="text-20 font-semibold tabular-nums">{item.value}</dd>
          {item.hint !== undefined && <dd className="text-12 text-muted">{item.hint}</dd>}
        </div>
      ))}
    </dl>
  )
}

/** A table in sight: too wide, it is scrolled, or drawn row below row where each row is read by itself (`stacks`). */
export function FigureTable(
  props: Pick<DataTableProps, 'caption' | 'head' | 'words' | 'rows' | 'foot' | 'stacks'>,
) {
  const { t } = useTranslation()
  const label = t('adminAnalytics.table', { name: props.caption })
  return <DataTable {...props} label={label} className="-mx-4 px-4" />
}
