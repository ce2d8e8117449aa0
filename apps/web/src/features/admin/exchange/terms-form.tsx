import { useTranslation } from '../../../lib/index.ts'
import { AmountField, Button, Segmented, TextField, useDraftForm } from '../../../ui/index.ts'
import { EMPTY_TERMS, readTerms } from './exchange-draft.ts'
import type { ExchangeFormProps } from './new-proposal-sheet.tsx'

const TARGETS = ['DIV', 'VC'] as const

/** Asks for the terms on which RIF are exchanged; the terms in force stand in the preview beside them. */
export function TermsForm({ onSubmit }: ExchangeFormProps) {
  const { t } = useTranslation()
  const { values, field, textField, submit, clear } = useDraftForm({
    name: 'exchange terms',
    initial: EMPTY_TERMS,
    check: (text) => readTerms(text, Date.now()),
    text: (problem) => t(`adminForms.problem.${problem}`),
    recheck: true,
  })
  return (
    <>
      <p className="text-14 text-muted">{t('adminForms.terms.about')}</p>
      <Segmented
        label={t('exchange.form.to')}
        options={TARGETS.map((value) => ({ value, label: t(`exchange.target.${value}`) }))}
        {...field('asset')}
      />
      <AmountField label={t('adminForms.terms.rate')} unit={values.asset} {...field('rate')} />
      <AmountField
        label={t('adminForms.terms.cap')}
        unit="RIF"
        hint={t('adminForms.terms.capHint')}
        {...field('day_cap')}
      />
      <TextField
        type="datetime-local"
        label={t('adminForms.terms.from')}
        hint={t('adminForms.terms.fromHint')}
        {...textField('valid_from')}
      />
      <Button onClick={submit(({ payload }) => onSubmit({ kind: 'exchange_terms', payload }, clear))}>
        {t('admin.preview')}
      </Button>
    </>
  )
}
