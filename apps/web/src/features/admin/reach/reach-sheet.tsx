import type { RefusalLevel } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../../lib/index.ts'
import { Button, Segmented, Sheet, TextArea, TextField } from '../../../ui/index.ts'
import { readReachValues } from './reach-values.ts'

const MAX_VALUES = 100
const MAX_REASON = 300
const LEVELS = ['may_leave', 'no_service'] as const satisfies readonly RefusalLevel[]

interface ReachSheetProps {
  list: 'countries' | 'addresses'
  onSubmit: (entry: { values: string[]; level: RefusalLevel; reason: string }) => void
  onClose: () => void
}

/** Asks which countries or wallets to refuse, how far, and why. */
export function ReachSheet({ list, onSubmit, onClose }: ReachSheetProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [level, setLevel] = useState<RefusalLevel>('may_leave')
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const { values, wrong } = readReachValues(list, text)
  const isMissing = isChecked && values.length === 0
  // While somebody types, the last word is not finished.
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
    onSubmit({ values, level, reason: reason.trim() })
  }
  return (
    <Sheet open onClose={onClose} title={t(`adminReach.${list}`)} description={t('adminReach.careful')}>
      <div className="flex flex-col gap-4">
        <TextArea
          label={t(`adminReach.${list}`)}
          hint={t(`adminReach.${list}Hint`)}
          value={text}
          rows={3}
          onChange={({ target }) => setText(target.value)}
          error={problem.values}
        />
        <div className="flex flex-col gap-2">
          <p className="text-14 font-medium">{t('adminReach.levelTitle')}</p>
          <Segmented
            wraps
            label={t('adminReach.levelTitle')}
            options={LEVELS.map((value) => ({ value, label: t(`adminReach.level.${value}`) }))}
            value={level}
            onChange={setLevel}
          />
          <p className="text-12 text-muted">{t(`adminReach.levelHint.${level}`)}</p>
        </div>
        <TextField
          label={t('adminReach.reason')}
          hint={t('adminReach.reasonHint')}
          maxLength={MAX_REASON}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          error={problem.reason}
        />
        <Button onClick={submit}>{t('admin.preview')}</Button>
      </div>
    </Sheet>
  )
}
