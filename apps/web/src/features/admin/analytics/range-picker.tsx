import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Segmented, TextField } from '../../../ui/index.ts'
import { type DayRange, PRESET_NAMES, presetOf, presetRange, rangeProblem } from './range.ts'

export interface RangePickerProps {
  range: DayRange
  onChange: (range: DayRange) => void
}

/** Today, 7, 30, 90 days, or any two days. */
export function RangePicker({ range, onChange }: RangePickerProps) {
  const { t } = useTranslation()
  const preset = presetOf(range, new Date())
  const [isCustom, setCustom] = useState(preset === null)
  return (
    <div className="flex flex-col gap-3">
      <Segmented
        label={t('adminAnalytics.range.label')}
        options={[...PRESET_NAMES, 'custom' as const].map((value) => ({
          value,
          label: t(`adminAnalytics.range.${value}`),
        }))}
        value={isCustom || preset === null ? 'custom' : preset}
        onChange={(value) => {
          setCustom(value === 'custom')
          if (value !== 'custom') onChange(presetRange(value, new Date()))
        }}
      />
      {isCustom && <CustomRange key={`${range.from} ${range.to}`} range={range} onChange={onChange} />}
    </div>
  )
}

function CustomRange({ range, onChange }: RangePickerProps) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(range)
  const problem = draft.from === '' || draft.to === '' ? null : rangeProblem(draft)
  const isReady = draft.from !== '' && draft.to !== '' && problem === null
  return (
    <form
      className="flex flex-wrap items-end gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onChange(draft)
      }}
    >
      <TextField
        label={t('adminAnalytics.range.from')}
        type="date"
        value={draft.from}
        onChange={(event) => setDraft({ ...draft, from: event.target.value })}
      />
      <TextField
        label={t('adminAnalytics.range.to')}
        type="date"
        value={draft.to}
        error={problem === null ? undefined : t(`adminAnalytics.range.${problem}`)}
        onChange={(event) => setDraft({ ...draft, to: event.target.value })}
      />
      <Button type="submit" variant="secondary" disabled={!isReady}>
        {t('adminAnalytics.range.show')}
      </Button>
    </form>
  )
}
