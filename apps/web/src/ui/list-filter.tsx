import { useTranslation } from '../lib/index.ts'
import { Button } from './button.tsx'
import { Segmented } from './segmented.tsx'
import { EmptyState } from './states.tsx'

interface FilterChoiceProps<T extends string> {
  label: string
  /** The values of the filter with their names. */
  options: readonly (readonly [value: T, label: string])[]
  /** Undefined for all. */
  value: T | undefined
  onChange: (value: T | undefined) => void
}

/** A filter of a list: all, or one of its values. */
export function FilterChoice<T extends string>({ label, options, value, onChange }: FilterChoiceProps<T>) {
  const { t } = useTranslation()
  return (
    <Segmented<T | 'all'>
      label={label}
      options={[
        { value: 'all', label: t('common.all') },
        ...options.map(([option, text]) => ({ value: option, label: text })),
      ]}
      value={value ?? 'all'}
      onChange={(chosen) => onChange(chosen === 'all' ? undefined : chosen)}
    />
  )
}

interface NothingFilteredProps {
  title: string
  hint?: string
  onShowAll: () => void
}

/** A list that is empty because of its filters, with a button that removes them. */
export function NothingFiltered({ title, hint, onShowAll }: NothingFilteredProps) {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="search"
      title={title}
      {...(hint !== undefined && { hint })}
      action={
        <Button variant="secondary" onClick={onShowAll}>
          {t('common.showAll')}
        </Button>
      }
    />
  )
}
