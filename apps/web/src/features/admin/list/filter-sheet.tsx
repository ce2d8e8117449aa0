import { useTranslation } from '../../../lib/index.ts'
import { Button, Chip, Chips, NumberField, Sheet, TextField } from '../../../ui/index.ts'
import { type Field, furtherFields, initialValues, type ListFilters } from './list-filters.ts'

/** The filters of a list that are not always visible. Each takes effect at once. */
export function FilterSheet({ filters, onClose }: { filters: ListFilters; onClose: () => void }) {
  const { t } = useTranslation()
  const { fields, values, change } = filters
  const further = furtherFields(fields)
  const input = (field: Field) => (
    <Input
      key={field.name}
      field={field}
      value={values[field.name]!}
      onChange={(value) => change({ ...values, [field.name]: value })}
    />
  )
  const days = further.filter(({ as }) => as === 'day')
  return (
    <Sheet open onClose={onClose} title={t('desk.filter.label')}>
      <div className="flex flex-col gap-4">
        {further.filter(({ as }) => as !== 'day').map(input)}
        {days.length > 0 && <div className="grid gap-4 sm:grid-cols-2">{days.map(input)}</div>}
        <div className="flex flex-wrap gap-3">
          <Button
            className="flex-1"
            variant="secondary"
            onClick={() => change({ ...values, ...initialValues(further) })}
          >
            {t('desk.filter.reset')}
          </Button>
          <Button className="flex-1" onClick={onClose}>
            {t('desk.filter.show')}
          </Button>
        </div>
      </div>
    </Sheet>
  )
}

interface InputProps {
  field: Field
  value: string
  onChange: (value: string) => void
}

function Input({ field: { label, as, options = [] }, value, onChange }: InputProps) {
  if (as === 'choice')
    return (
      <div>
        <p className="pb-1 text-14 font-medium">{label}</p>
        <Chips label={label}>
          {options.map(([option, text]) => (
            <Chip key={option} pressed={option === value} onClick={() => onChange(option)}>
              {text}
            </Chip>
          ))}
        </Chips>
      </div>
    )
  if (as === 'day')
    return (
      <TextField label={label} type="date" value={value} onChange={({ target }) => onChange(target.value)} />
    )
  return <NumberField label={label} unit="" value={value} onChange={onChange} />
}
