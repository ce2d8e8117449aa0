import type { Receiver } from '@rif/api-schema'
import { type FormEvent, useState } from 'react'
import { useDraft } from '../../../lib/draft.ts'
import { formatAmount } from '../../../lib/format.ts'
import { useTranslation } from '../../../lib/i18n.ts'
import { redirectTo } from '../../../lib/navigation.ts'
import { LONG_TOAST_MS, showToast } from '../../../lib/overlays.ts'
import { useApiMutation } from '../../../lib/queries.ts'
import { AmountField } from '../../../ui/amount-field.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { ReceiverField } from '../../../wallet/receiver/receiver-field.tsx'
import { useReceiver } from '../../../wallet/receiver/use-receiver.ts'
import {
  type AddressProblem,
  type AmountProblem,
  judge,
  type TransferDraft,
  type TransferFacts,
  type TransferRequest,
} from '../transfer-draft.ts'
import { ConfirmSheet } from './confirm-sheet.tsx'

const ASSETS = ['USDT', 'AMC'] as const

interface TransferFormProps {
  facts: TransferFacts
  ownAddress: string
  /** To begin with. */
  to: string
}

/** Asset, receiver and amount; then the sheet that shows both ends. Nothing typed is lost on a refusal. */
export function TransferForm({ facts, ownAddress, to }: TransferFormProps) {
  const { t } = useTranslation()
  const {
    draft,
    change: setDraft,
    clear,
  } = useDraft<TransferDraft>(
    'transfer',
    { asset: 'USDT', amount: '', address: '' },
    to === '' ? {} : { address: to },
  )
  const [problems, setProblems] = useState<{ amount?: AmountProblem; address?: AddressProblem }>({})
  const [judged, setJudged] = useState<{ request: TransferRequest; receiver: Receiver } | null>(null)
  const receiver = useReceiver(draft.address)
  const send = useApiMutation('transfer', { refresh: ['me', 'transfers', 'contacts', 'receiver'] })
  const change = (changes: Partial<TransferDraft>) => {
    setDraft({ ...draft, ...changes })
    setProblems({})
  }
  const goOn = (event: FormEvent) => {
    event.preventDefault()
    const judgement = judge(draft, receiver, facts)
    if (!judgement.ok) return setProblems(judgement)
    if (receiver.is === 'known') setJudged({ request: judgement.request, receiver: receiver.receiver })
  }
  const submit = () =>
    judged !== null &&
    send.mutate(
      { body: judged.request },
      {
        onSuccess: () => {
          clear()
          showToast(t('transfers.success'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          redirectTo('/pages/transfer/list')
        },
      },
    )
  const minimum = formatAmount(facts.minimum, { min: 0, max: 6 })
  return (
    <form aria-label={t('transfers.title')} noValidate className="flex flex-col gap-4" onSubmit={goOn}>
      <Segmented
        label={t('transfers.asset')}
        options={ASSETS.map((asset) => ({ value: asset, label: asset }))}
        value={draft.asset}
        onChange={(asset) => change({ asset })}
      />
      <ReceiverField
        value={draft.address}
        onChange={(address) => change({ address })}
        state={receiver}
        error={problems.address && t(`transfers.problem.${problems.address}`)}
      />
      <AmountField
        label={t('transfers.amount')}
        unit={draft.asset}
        value={draft.amount}
        onChange={(amount) => change({ amount })}
        max={facts.available[draft.asset]}
        aside={t('transfers.available', {
          amount: formatAmount(facts.available[draft.asset]),
          asset: draft.asset,
        })}
        hint={t('transfers.minimum', { minimum, asset: draft.asset })}
        error={problems.amount && t(`transfers.problem.${problems.amount}`, { minimum, asset: draft.asset })}
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
    </form>
  )
}
