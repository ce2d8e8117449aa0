import { useForm } from 'react-hook-form'
import { toAmount } from '../../../lib/amount-input.ts'
import { useDraft } from '../../../lib/draft.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/field.tsx'
import { type GrantLine, isAddress } from './grant-lines.ts'

const EMPTY = { address: '', amount: '', reason: '' }

/** Asks for a grant to one member; what was typed stays until it was proposed. */
export function SingleGrant({ onSubmit }: { onSubmit: (grant: GrantLine, onDone: () => void) => void }) {
  const { t } = useTranslation()
  const { draft, change, clear } = useDraft('grant', EMPTY)
  const form = useForm({ defaultValues: draft })
  const done = () => {
    clear()
    form.reset(EMPTY)
  }
  const { errors } = form.formState
  return (
    <Card>
      <form
        className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[2fr_1fr_2fr_auto]"
        onChange={() => change(form.getValues())}
        onSubmit={form.handleSubmit(({ address, amount, reason }) =>
          onSubmit(
            { line: 1, address: address.trim(), amount: toAmount(amount)!, reason: reason.trim() },
            done,
          ),
        )}
      >
        <TextField
          label={t('admin.grants.address')}
          error={errors.address?.message}
          {...form.register('address', {
            validate: (value) => isAddress(value.trim()) || t('admin.grants.problem.address'),
          })}
        />
        <TextField
          label={t('admin.grants.amount')}
          inputMode="decimal"
          end={<span className="text-14 text-muted">RIF</span>}
          error={errors.amount?.message}
          {...form.register('amount', {
            validate: (value) => toAmount(value) !== null || t('admin.grants.problem.amount'),
          })}
        />
        <TextField
          label={t('admin.grants.what')}
          maxLength={200}
          error={errors.reason?.message}
          {...form.register('reason', {
            validate: (value) => value.trim() !== '' || t('admin.grants.problem.reason'),
          })}
        />
        <Button type="submit" className="lg:mt-7">
          {t('admin.grants.goOn')}
        </Button>
      </form>
    </Card>
  )
}
