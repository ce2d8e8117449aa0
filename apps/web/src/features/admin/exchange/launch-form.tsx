import { formatMicros, launchCapacity, parseMicros } from '@rif/rules'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextArea, TextField } from '../../../ui/field.tsx'
import { useAttempt } from '../components/use-attempt.ts'
import { EMPTY_LAUNCH, type LaunchField, readLaunch } from './exchange-draft.ts'
import type { ExchangeFormProps } from './new-proposal-sheet.tsx'

/** Asks for a VC launch, which members see from its approval on; what was typed outlasts a reload. */
export function LaunchForm({ onSubmit }: ExchangeFormProps) {
  const { t } = useTranslation()
  const { draft, change, clear } = useDraft('launch', EMPTY_LAUNCH)
  const read = readLaunch(draft, Date.now())
  const { errorOf, attempt } = useAttempt(read, (problem) => t(`adminForms.problem.${problem}`))
  const set = (field: LaunchField) => (value: string) => change({ ...draft, [field]: value })
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
      <TextArea
        label={t('admin.field.introduction')}
        hint={t('adminForms.launch.introductionHint')}
        maxLength={4000}
        error={errorOf('introduction')}
        value={draft.introduction}
        onChange={({ target }) => set('introduction')(target.value)}
      />
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
        {(['starts', 'ends'] as const).map((edge) => (
          <TextField
            key={edge}
            type="datetime-local"
            label={t(`adminForms.launch.${edge}`)}
            error={errorOf(`${edge}_at`)}
            value={draft[`${edge}_at`]}
            onChange={({ target }) => set(`${edge}_at`)(target.value)}
          />
        ))}
      </div>
      <Button onClick={() => attempt((payload) => onSubmit({ kind: 'launch', payload }, clear))}>
        {t('admin.preview')}
      </Button>
    </>
  )
}

/** How much VC the whole allocation costs. */
function takes({ allocation, price }: { allocation: string; price: string }): string {
  const offer = { allocationMicros: parseMicros(allocation), priceMicros: parseMicros(price) }
  return formatAmount(formatMicros(launchCapacity(offer)))
}
