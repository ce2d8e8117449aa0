import { formatMicros, launchCapacity, parseMicros } from '@rif/rules'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import { AmountField, Button, TextArea, TextField, useDraftForm } from '../../../ui/index.ts'
import { EMPTY_LAUNCH, readLaunch } from './exchange-draft.ts'
import type { ExchangeFormProps } from './new-proposal-sheet.tsx'

/** Asks for a VC launch, which members see from its approval on; what was typed outlasts a reload. */
export function LaunchForm({ onSubmit }: ExchangeFormProps) {
  const { t } = useTranslation()
  const { checked, field, textField, submit, clear } = useDraftForm({
    name: 'launch',
    initial: EMPTY_LAUNCH,
    check: (values) => readLaunch(values, Date.now()),
    text: (problem) => t(`adminForms.problem.${problem}`),
    recheck: true,
  })
  return (
    <>
      <p className="text-14 text-muted">{t('adminForms.launch.about')}</p>
      <TextField label={t('admin.field.name')} maxLength={80} {...textField('name')} />
      <TextArea
        label={t('admin.field.introduction')}
        hint={t('adminForms.launch.introductionHint')}
        maxLength={4000}
        {...textField('introduction')}
      />
      <AmountField
        label={t('admin.field.allocation')}
        unit={t('exchange.launch.units')}
        {...field('allocation')}
      />
      <AmountField
        label={t('exchange.launch.price')}
        unit="VC"
        hint={checked.ok && t('adminForms.launch.takes', { amount: takes(checked.payload) })}
        {...field('price')}
      />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {(['starts', 'ends'] as const).map((edge) => (
          <TextField
            key={edge}
            type="datetime-local"
            label={t(`adminForms.launch.${edge}`)}
            {...textField(`${edge}_at`)}
          />
        ))}
      </div>
      <Button onClick={submit(({ payload }) => onSubmit({ kind: 'launch', payload }, clear))}>
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
