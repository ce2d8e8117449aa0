import { useDraft } from '../../../lib/draft.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { useAttempt } from '../components/use-attempt.ts'
import { EMPTY_TERMS, readTerms, type TermsField } from './exchange-draft.ts'
import type { ExchangeFormProps } from './new-proposal-sheet.tsx'

const TARGETS = ['DIV', 'VC'] as const

/** Asks for the terms on which RIF are exchanged; the terms in force stand in the preview beside them. */
export function TermsForm({ onSubmit }: ExchangeFormProps) {
  const { t } = useTranslation()
  const { draft, change, clear } = useDraft('exchange terms', EMPTY_TERMS)
  const read = readTerms(draft, Date.now())
  const { errorOf, attempt } = useAttempt(read, (problem) => t(`adminForms.problem.${problem}`))
  const set = (field: TermsField) => (value: string) => change({ ...draft, [field]: value })
  return (
    <>
      <p className="text-14 text-muted">{t('adminForms.terms.about')}</p>
      <Segmented
        label={t('exchange.form.to')}
        options={TARGETS.map((value) => ({ value, label: t(`exchange.target.${value}`) }))}
        value={draft.asset as (typeof TARGETS)[number]}
        onChange={set('asset')}
      />
      <AmountField
        label={t('adminForms.terms.rate')}
        unit={draft.asset}
        error={errorOf('rate')}
        value={draft.rate}
        onChange={set('rate')}
      />
      <AmountField
        label={t('adminForms.terms.cap')}
        unit="RIF"
        hint={t('adminForms.terms.capHint')}
        error={errorOf('day_cap')}
        value={draft.day_cap}
        onChange={set('day_cap')}
      />
      <TextField
        type="datetime-local"
        label={t('adminForms.terms.from')}
        hint={t('adminForms.terms.fromHint')}
        error={errorOf('valid_from')}
        value={draft.valid_from}
        onChange={({ target }) => set('valid_from')(target.value)}
      />
      <Button onClick={() => attempt((payload) => onSubmit({ kind: 'exchange_terms', payload }, clear))}>
        {t('admin.preview')}
      </Button>
    </>
  )
}
