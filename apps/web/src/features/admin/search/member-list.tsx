import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { EmptyState, Fact, Facts } from '../../../ui/index.ts'
import { FilterBar } from '../list/filter-bar.tsx'
import type { ListFilters } from '../list/list-filters.ts'
import { type ListShape, useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'

interface MemberListProps<T> {
  label: string
  query: UseInfiniteQueryResult<InfiniteData<{ items: T[]; next: string | null }>>
  filters?: ListFilters
  shape: ListShape<T>
  /** The facts of a row beside its columns, by label; a value of null leaves one out. */
  facts: (item: T) => readonly (readonly [label: string, value: ReactNode])[]
  /** Shown instead of the usual text when the list is empty, also when filters may be the reason. */
  empty?: ReactNode
  /** Draws the actions on a row; `leave` closes the details where they cover the list. */
  step?: (item: T, leave: () => void) => ReactNode
}

/** A list of members, or of one member: with its filters if it has some, and all facts of a row in its details. */
export function MemberList<T>({ label, query, filters, shape, facts, empty, step }: MemberListProps<T>) {
  const { t } = useTranslation()
  return (
    <>
      {filters !== undefined && <FilterBar filters={filters} />}
      <WorkList
        label={label}
        rows={useRows(query)}
        shape={shape}
        isNarrowed={empty === undefined && (filters?.isNarrowed ?? false)}
        empty={empty ?? <EmptyState icon="list" title={t('adminSearch.empty')} />}
        details={(item, leave) => (
          <div className="flex flex-col gap-4">
            <h2 className="text-20 font-semibold">{shape.nameOf(item)}</h2>
            <Facts>
              {facts(item).map(([name, value]) =>
                value === null ? null : (
                  <Fact key={name} label={name}>
                    {value}
                  </Fact>
                ),
              )}
            </Facts>
            {step?.(item, leave)}
          </div>
        )}
      />
    </>
  )
}
