import type { Receiver } from '@rif/api-schema'
import { useState } from 'react'
import {
  formatAmount,
  LONG_TOAST_MS,
  redirectTo,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../../lib/index.ts'
import { AmountField, buttonClass, Form, Segmented, useDraftForm } from '../../../ui/index.ts'
import { ReceiverField, type ReceiverState, useReceiver } from '../../../wallet/receiver/receiver-field.tsx'
import { judge, type TransferFacts, type TransferRequest } from '../transfer-draft.ts'
import { ConfirmSheet } from './confirm-sheet.tsx'

const ASSETS = ['USDT', 'AMC'] as const
const EMPTY: TransferRequest = { asset: 'USDT', amount: '', address: '' }

interface TransferFormProps {
  facts: TransferFacts
  ownAddress: string
  /** To begin with. */
  to: string
}

/** Asset, receiver and amount; then the sheet that shows both ends. Nothing typed is lost on a refusal. */
export function TransferForm({ facts, ownAddress, to }: TransferFormProps) {
  const { t } = useTranslation()
  const minimum = formatAmount(facts.minimum, { min: 0, max: 6 })
  const form = useDraftForm({
    name: 'transfer',
    initial: EMPTY,
    given: to === '' ? {} : { address: to },
    check: (values) => judge(values, receiver, facts),
    text: (problem, { asset }) => t(`transfers.problem.${problem}`, { minimum, asset }),
  })
  const { asset, address } = form.values
  const [judged, setJudged] = useState<{ request: TransferRequest; receiver: Receiver } | null>(null)
  const receiver: ReceiverState = useReceiver(address)
  const send = useApiMutation('transfer', { refresh: ['me', 'transfers', 'contacts', 'receiver'] })
  const goOn = form.submit(({ request }) => {
    if (receiver.is === 'known') setJudged({ request, receiver: receiver.receiver })
  })
  const submit = () =>
    judged !== null &&
    send.mutate(
      { body: judged.request },
      {
        onSuccess: () => {
          form.clear()
          showToast(t('transfers.success'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          redirectTo('/pages/transfer/list')
        },
      },
    )
  return (
    <Form aria-label={t('transfers.title')} onSubmit={goOn}>
      <Segmented
        label={t('transfers.asset')}
        options={ASSETS.map((value) => ({ value, label: value }))}
        {...form.field('asset')}
      />
      <ReceiverField {...form.field('address')} state={receiver} />
      <AmountField
        label={t('transfers.amount')}
        unit={asset}
        {...form.field('amount')}
        max={facts.available[asset]}
        aside={t('transfers.available', { amount: formatAmount(facts.available[asset]), asset })}
        hint={t('transfers.minimum', { minimum, asset })}
      />
      <button type="submit" className={buttonClass('primary', true)}>
        {t('transfers.continue')}
      </button>
      {judged !== null && (
        <ConfirmSheet
          {...judged}
          ownAddress={ownAddress}
          isBusy={send.isPending}
          onConfirm={submit}
          onClose={() => setJudged(null)}
        />
      )}
    </Form>
  )
}
