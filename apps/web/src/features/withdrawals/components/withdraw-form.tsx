import { formatAmount, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  AmountField,
  buttonClass,
  Card,
  Form,
  Segmented,
  Spinner,
  TextField,
} from '../../../ui/index.ts'
import { LookAlikeWarning, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import { useWithdrawForm } from '../use-withdraw-form.ts'
import { maxAmount, type WithdrawLimit } from '../withdraw-draft.ts'
import { ConfirmSheet } from './confirm-sheet.tsx'
import { LimitLine, WithdrawPreview } from './withdraw-preview.tsx'

const ASSETS = ['USDT', 'AMC'] as const

/** Asset, receiver, amount with a live preview; then the sheet with the one confirmation. */
export function WithdrawForm({ limit, ownAddress }: { limit: WithdrawLimit; ownAddress: string }) {
  const { t } = useTranslation()
  const form = useWithdrawForm(limit)
  const { values, field } = form
  const { asset } = values
  return (
    <Form
      aria-label={t('withdrawals.title')}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.isChecking) void form.goOn()
      }}
    >
      <Segmented
        label={t('withdrawals.form.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        {...field('asset')}
      />
      <AmountField
        label={t('withdrawals.form.amount')}
        unit={asset}
        {...field('amount')}
        max={maxAmount(asset, limit)}
        aside={t('withdrawals.form.available', { amount: formatAmount(limit.available[asset]), asset })}
      />
      <Receiver form={form} ownAddress={ownAddress} />
      <Card className="flex flex-col gap-4">
        <WithdrawPreview draft={values} limit={limit} />
        <LimitLine limit={limit} />
      </Card>
      <button type="submit" aria-busy={form.isChecking || undefined} className={buttonClass('primary', true)}>
        {form.isChecking && <Spinner />}
        {t('withdrawals.form.continue')}
      </button>
      {form.judged !== null && (
        <ConfirmSheet
          judged={form.judged}
          ownAddress={ownAddress}
          limit={limit}
          isBusy={form.isSubmitting}
          onConfirm={form.confirm}
          onClose={form.closeJudged}
        />
      )}
    </Form>
  )
}

interface ReceiverProps {
  form: ReturnType<typeof useWithdrawForm>
  ownAddress: string
}

function Receiver({ form: { values, set, textField }, ownAddress }: ReceiverProps) {
  const { t } = useTranslation()
  const receiver = useReceiver(values.toOwnWallet ? '' : values.address)
  return (
    <div className="flex flex-col gap-2">
      <p aria-hidden="true" className="text-14 font-medium">
        {t('withdrawals.form.to')}
      </p>
      <Segmented
        label={t('withdrawals.form.to')}
        options={[
          { value: 'own', label: t('withdrawals.form.own') },
          { value: 'other', label: t('withdrawals.form.other') },
        ]}
        value={values.toOwnWallet ? 'own' : 'other'}
        onChange={(value) => set({ toOwnWallet: value === 'own' })}
      />
      {values.toOwnWallet ? (
        <Address value={ownAddress} form="full" className="px-1 text-14 text-muted" />
      ) : (
        <TextField
          label={t('withdrawals.form.address')}
          placeholder="0x…"
          autoCapitalize="off"
          spellCheck={false}
          {...textField('address')}
          hint={t('withdrawals.form.addressHint')}
        />
      )}
      {receiver.is === 'known' && <LookAlikeWarning receiver={receiver.receiver} />}
    </div>
  )
}
