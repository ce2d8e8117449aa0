import { formatMicros, launchCapacity, parseMicros } from '@rif/rules'
import { useId, useState } from 'react'
import { cx } from '../../../lib/cx.ts'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { FieldFrame, inputBoxClass, TextField } from '../../../ui/field.tsx'
import { EMPTY_LAUNCH, type LaunchField, readLaunch } from './exchange-draft.ts'
import type { ExchangeFormProps } from './new-proposal-sheet.tsx'

/** Asks for a VC launch, which members see from its approval on; what was typed outlasts a reload. */
export function LaunchForm({ onSubmit }: ExchangeFormProps) {
  const { t } = useTranslation()
  const { draft, change, clear } = useDraft('launch', EMPTY_LAUNCH)
  const [isTried, setTried] = useState(false)
  const introductionId = useId()
  const read = readLaunch(draft, Date.now())
  const errorOf = (field: LaunchField) => {
    const problem = isTried && !read.ok ? read.problems[field] : undefined
    return problem && t(`adminForms.problem.${problem}`)
  }
  const set = (field: LaunchField) => (value: string) => change({ ...draft, [field]: value })
  const submit = () => {
    setTried(true)
    if (read.ok) onSubmit({ kind: 'launch', payload: read.payload }, clear)
  }
  return (
    <>
      <p className="text-14 text-muted">{t('adminForms.launch.about')}</p>
      <TextField
        label={t('admin.field.name')}
        maxLength={80}
        error={errorOf('name')}
        value={draft.name}
        onChange={({ target }) => set('name')(target.value)}
      />
      <FieldFrame
        id={introductionId}
        label={t('admin.field.introduction')}
        hint={t('adminForms.launch.introductionHint')}
        error={errorOf('introduction')}
      >
        <textarea
          id={introductionId}
          rows={4}
          maxLength={4000}
          aria-describedby={`${introductionId}-note`}
          className={cx(inputBoxClass(errorOf('introduction') !== undefined), 'py-2 text-16 outline-none')}
          value={draft.introduction}
          onChange={({ target }) => set('introduction')(target.value)}
        />
      </FieldFrame>
      <AmountField
        label={t('admin.field.allocation')}
        unit={t('exchange.launch.units')}
        error={errorOf('allocation')}
        value={draft.allocation}
        onChange={set('allocation')}
      />
      <AmountField
        label={t('exchange.launch.price')}
        unit="VC"
        hint={read.ok && t('adminForms.launch.takes', { amount: takes(read.payload) })}
        error={errorOf('price')}
        value={draft.price}
        onChange={set('price')}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {(['starts', 'ends'] as const).map((field) => (
          <TextField
            key={field}
            type="datetime-local"
            label={t(`adminForms.launch.${field}`)}
            error={errorOf(field)}
            value={draft[field]}
            onChange={({ target }) => set(field)(target.value)}
          />
        ))}
      </div>
      <Button onClick={submit}>{t('admin.preview')}</Button>
    </>
  )
}

/** How much VC the whole allocation costs. */
function takes({ allocation, price }: { allocation: string; price: string }): string {
  const offer = { allocationMicros: parseMicros(allocation), priceMicros: parseMicros(price) }
  return formatAmount(formatMicros(launchCapacity(offer)))
}
