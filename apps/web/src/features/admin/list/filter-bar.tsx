import { useState } from 'react'
import { formatCount, useTranslation } from '../../../lib/index.ts'
import { Chip, Chips, Icon } from '../../../ui/index.ts'
import { FilterSheet } from './filter-sheet.tsx'
import { countChanged, furtherFields, type ListFilters } from './list-filters.ts'
import { SavedViews } from './saved-views.tsx'
import { SearchField } from './search-field.tsx'

interface FilterBarProps {
  filters: ListFilters
  /** The numbers beside the tabs, by value, as far as known. */
  counts?: Readonly<Partial<Record<string, number>>>
}

/** The filters of a list, the operator's own views of it, and its search. */
export function FilterBar({ filters, counts = {} }: FilterBarProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const { fields, values, change } = filters
  const set = (name: string, value: string) => change({ ...values, [name]: value })
  const further = furtherFields(fields)
  const changed = countChanged(further, values)
  const search = fields.find(({ as }) => as === 'search')
  const tabs = fields.filter(({ as }) => as === 'tabs')
  return (
    <div className={search === undefined ? 'flex flex-wrap gap-x-2 gap-y-2' : 'flex flex-col gap-2'}>
      {tabs.map(({ name, label, options = [] }) => (
        <Chips key={name} label={label}>
          {options.map(([value, text]) => (
            <Chip key={value} pressed={values[name] === value} onClick={() => set(name, value)}>
              {text}
              {counts[value] !== undefined && (
                <span className="tabular-nums">{formatCount(counts[value])}</span>
              )}
            </Chip>
          ))}
        </Chips>
      ))}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {search !== undefined && (
          <div className="w-full sm:w-80 xl:w-96">
            <SearchField
              label={search.label}
              value={values[search.name]!}
              maxLength={100}
              onChange={(value) => set(search.name, value)}
            />
          </div>
        )}
        <Chips label={t('desk.filter.label')}>
          {further.length > 0 && (
            <Chip {...(changed > 0 && { pressed: true })} onClick={() => setOpen(true)}>
              <Icon name="filter" size={16} />
              {t('desk.filter.more')}
              {changed > 0 && <span className="tabular-nums">{formatCount(changed)}</span>}
            </Chip>
          )}
          <SavedViews filters={filters} />
        </Chips>
      </div>
      {isOpen && <FilterSheet filters={filters} onClose={() => setOpen(false)} />}
    </div>
  )
}
