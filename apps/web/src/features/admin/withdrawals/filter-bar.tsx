import type { AuditedDeparture } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { Chip, TextField } from '../../../ui/index.ts'
import { SavedViews } from '../components/saved-views.tsx'
import { ALL_HELD, filterHeld, type HeldFilters, isHeldFilters } from './held-filters.ts'

interface FilterBarProps {
  all: readonly AuditedDeparture[]
  filters: HeldFilters
  onChange: (filters: HeldFilters) => void
}

/** The filters of the queue, those that the operator saved, and a search over numbers and addresses. */
export function FilterBar({ all, filters, onChange }: FilterBarProps) {
  const { t } = useTranslation()
  const chips = [
    { label: t('desk.filter.all'), set: { state: 'all', is: 'all', risk: null, asset: 'all' } },
    { label: t('admin.status.Auditing'), set: { state: 'toCheck' } },
    { label: t('desk.held.withApprovers'), set: { state: 'proposed' } },
    { label: t('desk.filter.transfers'), set: { is: 'transfer' } },
    { label: t('admin.risk.sudden_amount'), set: { risk: 'sudden_amount' } },
    { label: t('admin.risk.look_alike'), set: { risk: 'look_alike' } },
    { label: 'AMC', set: { asset: 'AMC' } },
  ] as const satisfies readonly { label: string; set: Partial<HeldFilters> }[]
  const isOn = (set: Partial<HeldFilters>) =>
    Object.entries(set).every(([name, value]) => filters[name as keyof HeldFilters] === value)
  const without = (set: Partial<HeldFilters>) =>
    Object.fromEntries(Object.keys(set).map((name) => [name, ALL_HELD[name as keyof HeldFilters]]))
  return (
    <div className="flex flex-wrap items-end justify-between gap-3">
      <fieldset className="flex min-w-0 flex-wrap gap-2">
        <legend className="sr-only">{t('desk.filter.label')}</legend>
        {chips.map(({ label, set }, place) => {
          const count = filterHeld(all, { ...ALL_HELD, ...set }).length
          return (
            <Chip
              key={label}
              pressed={isOn(set)}
              onClick={() => onChange({ ...filters, ...(place > 0 && isOn(set) ? without(set) : set) })}
            >
              {label} <span className="tabular-nums">{count}</span>
            </Chip>
          )
        })}
        <Chip
          pressed={filters.order === 'largest'}
          onClick={() => onChange({ ...filters, order: filters.order === 'largest' ? 'oldest' : 'largest' })}
        >
          {t('desk.filter.largest')}
        </Chip>
        <SavedViews page="audit" filters={filters} isFilters={isHeldFilters} onChoose={onChange} />
      </fieldset>
      <div className="w-full sm:w-72">
        <TextField
          label={t('desk.filter.search')}
          type="search"
          value={filters.text}
          maxLength={60}
          onChange={(event) => onChange({ ...filters, text: event.target.value })}
        />
      </div>
    </div>
  )
}
