import type { RefusalLevel } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Segmented, Sheet, TextArea, TextField, useKeptValues } from '../../../ui/index.ts'
import { readReachValues } from './reach-values.ts'

const MAX_VALUES = 100
const MAX_REASON = 300
const LEVELS = ['may_leave', 'no_service'] as const satisfies readonly RefusalLevel[]

const EMPTY = { text: '', level: 'may_leave' as RefusalLevel, reason: '' }

interface ReachSheetProps {
  list: 'countries' | 'addresses'
  onSubmit: (entry: { values: string[]; level: RefusalLevel; reason: string }, onDone: () => void) => void
  onClose: () => void
}

/** Asks for the countries or wallets to refuse, the level of refusal, and the reason. */
export function ReachSheet({ list, onSubmit, onClose }: ReachSheetProps) {
  const { t } = useTranslation()
  const draft = useKeptValues(`refuse ${list}`, EMPTY)
  const { text, level, reason } = draft.values
  const [isChecked, setChecked] = useState(false)
  const { values, wrong } = readReachValues(list, text)
  const isMissing = isChecked && values.length === 0
  // While typing, the last word is not complete.
  const isFinished = isChecked || /[\s,;]$/.test(text)
  const problem = {
    values:
      wrong !== undefined && isFinished
        ? t(`adminReach.wrong.${list}`, { value: wrong })
        : isMissing || values.length > MAX_VALUES
          ? t('adminReach.count', { max: MAX_VALUES })
          : undefined,
    reason: isChecked && reason.trim() === '' ? t('admin.treasury.missing') : undefined,
  }
  const submit = () => {
    setChecked(true)
    if (wrong !== undefined || values.length === 0 || values.length > MAX_VALUES || reason.trim() === '')
      return
    onSubmit({ values, level, reason: reason.trim() }, draft.clear)
  }
  return (
    <Sheet open onClose={onClose} title={t(`adminReach.${list}`)} description={t('adminReach.careful')}>
      <div className="flex flex-col gap-4">
        <TextArea
          label={t(`adminReach.${list}`)}
          hint={t(`adminReach.${list}Hint`)}
          value={text}
          rows={3}
          onChange={({ target }) => draft.set({ text: target.value })}
          error={problem.values}
        />
        <div className="flex flex-col gap-2">
          <p className="text-14 font-medium">{t('adminReach.levelTitle')}</p>
          <Segmented
            wraps
            label={t('adminReach.levelTitle')}
            options={LEVELS.map((value) => ({ value, label: t(`adminReach.level.${value}`) }))}
            value={level}
            onChange={(value) => draft.set({ level: value })}
          />
          <p className="text-12 text-muted">{t(`adminReach.levelHint.${level}`)}</p>
        </div>
        <TextField
          label={t('adminReach.reason')}
          hint={t('adminReach.reasonHint')}
          maxLength={MAX_REASON}
          value={reason}
          onChange={({ target }) => draft.set({ reason: target.value })}
          error={problem.reason}
        />
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}
