import { formatMicros, launchCapacity, parseMicros } from '@rif/rules'
import { useState } from 'react'
import { formatAmount, useTranslation } from '../../../lib/index.ts'
import {
  AmountField,
  Button,
  Segmented,
  Sheet,
  TextArea,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { EMPTY_LAUNCH, EMPTY_TERMS, readExchangeTerms, readLaunch } from './exchange-draft.ts'

const FORMS = { launch: LaunchForm, exchange_terms: TermsForm } as const
const KINDS = ['launch', 'exchange_terms'] as const

interface ExchangeFormProps {
  onSubmit: (wanted: Wanted, onDone: () => void) => void
}

/** Asks for a change in the exchange centre: a launch, or the terms of exchange for RIF. */
export function NewProposalSheet({ onSubmit, onClose }: ExchangeFormProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const [kind, setKind] = useState<keyof typeof FORMS>('launch')
  const Form = FORMS[kind]
  return (
    <Sheet open onClose={onClose} title={t('adminForms.new')}>
      <div className="flex flex-col gap-4">
        <Segmented
          label={t('adminForms.what')}
          options={KINDS.map((value) => ({ value, label: t(`admin.kind.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        <Form onSubmit={onSubmit} />
      </div>
    </Sheet>
  )
}

/** Asks for a VC launch, which members see from its approval on; typed text survives a reload. */
function LaunchForm({ onSubmit }: ExchangeFormProps) {
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

/** Returns the price of the whole allocation in VC. */
function takes({ allocation, price }: { allocation: string; price: string }): string {
  const offer = { allocationMicros: parseMicros(allocation), priceMicros: parseMicros(price) }
  return formatAmount(formatMicros(launchCapacity(offer)))
}

const TARGETS = ['DIV', 'VC'] as const

/** Asks for the terms of exchange for RIF; the preview shows the terms in force beside them. */
function TermsForm({ onSubmit }: ExchangeFormProps) {
  const { t } = useTranslation()
  const { values, field, textField, submit, clear } = useDraftForm({
    name: 'exchange terms',
    initial: EMPTY_TERMS,
    check: (text) => readExchangeTerms(text, Date.now()),
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
