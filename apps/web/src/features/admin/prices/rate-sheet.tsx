import type { DisplayRate } from '@rif/api-schema'
import { dayOf } from '@rif/rules'
import { formatDay, useTranslation } from '../../../lib/index.ts'
import { AmountField, Button, rateText, Sheet, TextField, useDraftForm } from '../../../ui/index.ts'
import type { Wanted } from '../proposals/use-proposals.tsx'
import { firstDay, judgeRate, type RateText } from './rate-draft.ts'

const MAX_SOURCE = 120
const CODE_LENGTH = 3

interface RateSheetProps {
  /** The rate to replace; null for a new rate of any currency. */
  last: DisplayRate | null
  rates: readonly DisplayRate[]
  onSubmit: (wanted: Wanted, onDone: () => void) => void
  onClose: () => void
}

/** Asks for a rate of a currency with its day and source; two people publish it. */
export function RateSheet({ last, rates, onSubmit, onClose }: RateSheetProps) {
  const { t } = useTranslation()
  const today = dayOf(Date.now())
  const { values, field, textField, submit, clear } = useDraftForm({
    name: 'display-rate',
    initial: { currency: '', rate: '', day: today, source: '' },
    preset: { day: today, ...(last !== null && { currency: last.currency, source: last.source }) },
    check: (text: RateText) => judgeRate(text, rates),
    text: (problem, text) =>
      problem === 'badDay'
        ? t('adminRates.badDay', { from: formatDay(firstDay(codeOf(text), rates, today)) })
        : t(`adminRates.${problem}`),
    recheck: true,
  })
  const code = codeOf(values)
  const current = rates.find(({ currency }) => currency === code)
  return (
    <Sheet open onClose={onClose} title={t('adminRates.propose')}>
      <div className="flex flex-col gap-4">
        <TextField
          label={t('adminRates.currency')}
          hint={t('adminRates.currencyHint')}
          autoCapitalize="characters"
          autoComplete="off"
          maxLength={CODE_LENGTH}
          readOnly={last !== null}
          {...textField('currency')}
        />
        <AmountField
          label={t('adminRates.rate', { currency: code || '…' })}
          unit={code}
          {...field('rate')}
          hint={t('adminRates.rateHint')}
          {...(current !== undefined && { aside: rateText(current) })}
        />
        <TextField
          label={t('adminRates.day')}
          type="date"
          min={firstDay(code, rates, today)}
          max={today}
          {...textField('day')}
        />
        <TextField
          label={t('adminRates.source')}
          hint={t('adminRates.sourceHint')}
          maxLength={MAX_SOURCE}
          {...textField('source')}
        />
        <Button onClick={submit(({ payload }) => onSubmit({ kind: 'display_rate', payload }, clear))}>
          {t('admin.preview')}
        </Button>
      </div>
    </Sheet>
  )
}

const codeOf = ({ currency }: RateText) => currency.trim().toUpperCase()
