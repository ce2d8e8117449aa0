import type { StatementFormat } from '@rif/api-schema'
import { useId } from 'react'
import { cx, useTranslation } from '../../lib/index.ts'
import { TextField } from '../../ui/index.ts'
import { type DayRange, rangeProblem, todayUtc } from './statement-range.ts'

interface DayFieldsProps {
  range: DayRange
  onChange: (range: DayRange) => void
}

/** Two days of UTC, with what is wrong with them. */
export function DayFields({ range, onChange }: DayFieldsProps) {
  const { t } = useTranslation()
  const now = new Date()
  const today = todayUtc(now)
  const problem = rangeProblem(range, now)
  const errorOf = (field: 'from' | 'to') =>
    problem === null || problem === 'missing' || (problem === 'future') !== (field === 'from')
      ? undefined
      : t(`statements.problem.${problem}`)
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9.5rem,1fr))] gap-3">
      <TextField
        label={t('statements.from')}
        type="date"
        className="text-14!"
        max={today}
        value={range.from}
        error={errorOf('from')}
        onChange={(event) => onChange({ ...range, from: event.target.value })}
      />
      <TextField
        label={t('statements.to')}
        type="date"
        className="text-14!"
        max={today}
        value={range.to}
        error={errorOf('to')}
        onChange={(event) => onChange({ ...range, to: event.target.value })}
      />
    </div>
  )
}

interface FormatChoiceProps {
  value: StatementFormat
  onChange: (format: StatementFormat) => void
}

/** The choice of a file's format: real radio buttons as large as their descriptions. */
export function FormatChoice({ value, onChange }: FormatChoiceProps) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-14 font-medium">{t('statements.format')}</legend>
      <div className="grid grid-cols-2 gap-2">
        {(['pdf', 'csv'] as const).map((format) => (
          <label
            key={format}
            className={cx(
              'flex min-h-15 cursor-pointer flex-col justify-center rounded-12 px-3 py-2.5',
              'has-focus-visible:outline-2 has-focus-visible:outline-accent',
              format === value
                ? 'bg-sunken shadow-[inset_0_0_0_2px_var(--color-ink)]'
                : 'shadow-[inset_0_0_0_1.5px_var(--color-line-strong)]',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={format === value}
              onChange={() => onChange(format)}
            />
            <span className="font-semibold">{format.toUpperCase()}</span>
            <span className="text-12 text-muted">{t(`statements.for.${format}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
