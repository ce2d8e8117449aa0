import type { DepartureState } from '@rif/api-schema'
import { type ReactNode, useState } from 'react'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Chip, Chips, Icon } from '../../../ui/index.ts'
import { SavedViews } from '../components/saved-views.tsx'
import { SearchField } from '../components/search-field.tsx'
import { FilterSheet } from './filter-sheet.tsx'
import { ALL_HELD, countFilters, type HeldFilters, isHeldFilters } from './held-filters.ts'

interface FilterBarProps {
  /** The numbers of those that wait, by state; null until they are known. */
  counts: Readonly<Partial<Record<DepartureState, number>>>
  filters: HeldFilters
  onChange: (filters: HeldFilters) => void
  /** Stands beside the search. */
  children?: ReactNode
}

/** The states, the further filters, the operator's own views, and a search over numbers and addresses. */
export function FilterBar({ counts, filters, onChange, children }: FilterBarProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const states = [
    ['open', t('desk.filter.open')],
    ['held', t('admin.status.Auditing')],
    ['proposed', t('desk.held.withApprovers')],
    ['ready', t('admin.status.Withdrawable')],
    ['done', t('admin.status.Success')],
    ['rejected', t('admin.status.Rejected')],
    ['cancelled', t('admin.status.Cancelled')],
  ] as const
  const further = countFilters(filters)
  return (
    <div className="flex flex-col gap-2">
      <Chips label={t('desk.filter.label')}>
        {states.map(([state, label]) => (
          <Chip
            key={state}
            pressed={filters.state === state}
            onClick={() => onChange({ ...filters, state, order: isQueue(state) ? 'oldest' : 'newest' })}
          >
            {label}
            {counts[state] !== undefined && (
              <span className="tabular-nums">{formatCount(counts[state])}</span>
            )}
          </Chip>
        ))}
        <Chip {...(further > 0 && { pressed: true })} onClick={() => setOpen(true)}>
          <Icon name="filter" size={16} />
          {t('desk.filter.more')}
          {further > 0 && <span className="tabular-nums">{formatCount(further)}</span>}
        </Chip>
        <SavedViews page="audit" filters={filters} isFilters={isHeldFilters} onChoose={onChange} />
      </Chips>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="w-full sm:w-72">
          <SearchField
            label={t('desk.filter.search')}
            value={filters.text}
            maxLength={60}
            onChange={(text) => onChange({ ...filters, text })}
          />
        </div>
        {children}
      </div>
      {isOpen && (
        <FilterSheet
          filters={filters}
          onChange={onChange}
          onReset={() => onChange({ ...ALL_HELD, state: filters.state, text: filters.text })}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}

/** Sorts by the longest wait where somebody has to act. */
const isQueue = (state: DepartureState) => state === 'held' || state === 'proposed'
