import type { RouteData } from '@rif/api-schema'
import { useState } from 'react'
import { amountText } from '../../lib/amount-input.ts'
import { ApiError } from '../../lib/api-errors.ts'
import { useDraft } from '../../lib/draft.ts'
import { formatExact } from '../../lib/format.ts'
import { useTranslation } from '../../lib/i18n.ts'
import { redirectTo } from '../../lib/navigation.ts'
import { LONG_TOAST_MS, showModal, showToast } from '../../lib/overlays.ts'
import { useApiMutation } from '../../lib/queries.ts'
import {
  type AddressProblem,
  type AmountProblem,
  addressProblem,
  EMPTY_DRAFT,
  judgeAmount,
  requestOf,
  type WithdrawDraft,
  type WithdrawLimit,
  type WithdrawRequest,
} from './withdraw-draft.ts'

/** A request that the server has judged, waiting for the member's one confirmation. */
export interface JudgedRequest {
  request: WithdrawRequest
  check: RouteData<'withdrawCheck'>
}

interface Problems {
  amount?: AmountProblem | 'dailyLimit'
  address?: AddressProblem
}

/** The withdrawal form: draft, problems beside their fields, the limit's prompt, the server's judgement, the request. Nothing typed is lost on a refusal. */
export function useWithdrawForm(limit: WithdrawLimit) {
  const { t } = useTranslation()
  const { draft, change: setDraft, clear: clearDraft } = useDraft<WithdrawDraft>('withdraw', EMPTY_DRAFT)
  const [problems, setProblems] = useState<Problems>({})
  const [judged, setJudged] = useState<JudgedRequest | null>(null)
  const check = useApiMutation('withdrawCheck')
  const withdraw = useApiMutation('withdraw', { refresh: ['withdrawLimit', 'withdrawals', 'me'] })

  const change = (changes: Partial<WithdrawDraft>) => {
    setDraft({ ...draft, ...changes })
    setProblems({})
  }

  async function acceptsRemainder(remaining: string): Promise<boolean> {
    return showModal({
      title: t('withdrawals.prompt.title'),
      content: t('withdrawals.prompt.text', { amount: formatExact(remaining), asset: draft.asset }),
      confirmText: t('withdrawals.prompt.confirm'),
    })
  }

  /** Judges here, prompts when today's limit leaves less, then has the server judge. */
  async function goOn() {
    let wanted = draft
    let amount = judgeAmount(wanted, limit)
    const address = addressProblem(wanted)
    if (!amount.ok && amount.problem === 'dailyLimit' && address === null) {
      if (!(await acceptsRemainder(amount.remaining))) return setProblems({ amount: 'dailyLimit' })
      wanted = { ...draft, amount: amountText(amount.remaining) }
      setDraft(wanted)
      amount = judgeAmount(wanted, limit)
    }
    setProblems({
      ...(!amount.ok && { amount: amount.problem }),
      ...(address !== null && { address }),
    })
    if (!amount.ok || address !== null) return
    const request = requestOf(wanted, amount.amount)
    check.mutate(
      { body: request },
      { onSuccess: (answer) => setJudged({ request, check: answer }), onError: refused },
    )
  }

  function refused(error: unknown) {
    if (error instanceof ApiError && error.error === 'INVALID_ADDRESS')
      setProblems({ address: 'addressInvalid' })
  }

  function submit() {
    if (judged === null) return
    withdraw.mutate(
      { body: judged.request },
      {
        onSuccess: ({ withdraw_id }) => {
          clearDraft()
          showToast(t('withdrawals.success.submitted'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          redirectTo('/pages/withdrawal/withdrawalSunccess', { withdraw_id })
        },
      },
    )
  }

  return {
    draft,
    change,
    problems,
    goOn,
    isChecking: check.isPending,
    judged,
    closeJudged: () => setJudged(null),
    submit,
    isSubmitting: withdraw.isPending,
  }
}
