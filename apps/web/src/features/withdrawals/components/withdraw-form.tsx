import type { FormEvent } from 'react'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { Address } from '../../../ui/address.tsx'
import { AmountField } from '../../../ui/amount-field.tsx'
import { buttonClass, Spinner } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { LookAlikeWarning } from '../../../wallet/receiver/receiver-remark.tsx'
import { useReceiver } from '../../../wallet/receiver/use-receiver.ts'
import { useWithdrawForm } from '../use-withdraw-form.ts'
import { maxAmount, type WithdrawLimit } from '../withdraw-draft.ts'
import { ConfirmSheet } from './confirm-sheet.tsx'
import { LimitLine, WithdrawPreview } from './withdraw-preview.tsx'

const ASSETS = ['USDT', 'AMC'] as const

/** Asset, receiver, amount with a live preview; then the sheet with the one confirmation. */
export function WithdrawForm({ limit, ownAddress }: { limit: WithdrawLimit; ownAddress: string }) {
  const { t } = useTranslation()
  const form = useWithdrawForm(limit)
  const { draft, change, problems } = form
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.isChecking) void form.goOn()
  }
  const available = formatAmount(limit.available[draft.asset])
  return (
    <form aria-label={t('withdrawals.title')} noValidate className="flex flex-col gap-4" onSubmit={onSubmit}>
      <Segmented
        label={t('withdrawals.form.asset')}
        options={ASSETS.map((asset) => ({ value: asset, label: asset }))}
        value={draft.asset}
        onChange={(asset) => change({ asset })}
      />
      <AmountField
        label={t('withdrawals.form.amount')}
        unit={draft.asset}
        value={draft.amount}
        onChange={(amount) => change({ amount })}
        max={maxAmount(draft.asset, limit)}
        aside={t('withdrawals.form.available', { amount: available, asset: draft.asset })}
        error={problems.amount && t(`withdrawals.problem.${problems.amount}`)}
      />
      <Receiver form={form} ownAddress={ownAddress} />
      <Card className="flex flex-col gap-4">
        <WithdrawPreview draft={draft} limit={limit} />
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
          onConfirm={form.submit}
          onClose={form.closeJudged}
        />
      )}
    </form>
  )
}

interface ReceiverProps {
  form: ReturnType<typeof useWithdrawForm>
  ownAddress: string
}

function Receiver({ form: { draft, change, problems }, ownAddress }: ReceiverProps) {
  const { t } = useTranslation()
  const receiver = useReceiver(draft.toOwnWallet ? '' : draft.address)
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
        value={draft.toOwnWallet ? 'own' : 'other'}
        onChange={(value) => change({ toOwnWallet: value === 'own' })}
      />
      {draft.toOwnWallet ? (
        <Address value={ownAddress} form="full" className="px-1 text-14 text-muted" />
      ) : (
        <TextField
          label={t('withdrawals.form.address')}
          placeholder="0x…"
          autoCapitalize="off"
          spellCheck={false}
          value={draft.address}
          onChange={(event) => change({ address: event.target.value })}
          hint={t('withdrawals.form.addressHint')}
          error={problems.address && t(`withdrawals.problem.${problems.address}`)}
        />
      )}
      {receiver.is === 'known' && <LookAlikeWarning receiver={receiver.receiver} />}
    </div>
  )
}
