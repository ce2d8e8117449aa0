import type { RouteData } from '@rif/api-schema'
import { useState } from 'react'
import {
  ApiError,
  amountText,
  formatExact,
  LONG_TOAST_MS,
  redirectTo,
  showModal,
  showToast,
  useApiMutation,
  useTranslation,
} from '../../lib/index.ts'
import { useDraftForm } from '../../ui/index.ts'
import {
  addressProblem,
  checkWithdrawal,
  EMPTY_DRAFT,
  judgeAmount,
  type WithdrawLimit,
  type WithdrawRequest,
} from './withdraw-draft.ts'

/** A request that the server has judged, waiting for the member's one confirmation. */
export interface JudgedRequest {
  request: WithdrawRequest
  check: RouteData<'withdrawCheck'>
}

/** The withdrawal form: the prompt for the day's limit, the server's judgement, and the request. Nothing typed is lost on a refusal. */
export function useWithdrawForm(limit: WithdrawLimit) {
  const { t } = useTranslation()
  const form = useDraftForm({
    name: 'withdraw',
    initial: EMPTY_DRAFT,
    check: (values) => checkWithdrawal(values, limit),
    text: (problem) => t(`withdrawals.problem.${problem}`),
  })
  const [judged, setJudged] = useState<JudgedRequest | null>(null)
  const check = useApiMutation('withdrawCheck')
  const withdraw = useApiMutation('withdraw', { refresh: ['withdrawLimit', 'withdrawals', 'me'] })

  const askServer = (request: WithdrawRequest) =>
    check.mutate(
      { body: request },
      {
        onSuccess: (answer) => setJudged({ request, check: answer }),
        onError: (error) => {
          if (error instanceof ApiError && error.error === 'INVALID_ADDRESS')
            form.refuse('address', 'addressInvalid')
        },
      },
    )

  /** When the day's limit leaves less than what is wanted, offers that; otherwise has the server judge the request. */
  async function goOn() {
    const amount = judgeAmount(form.values, limit)
    const { asset } = form.values
    if (!amount.ok && amount.problem === 'dailyLimit' && addressProblem(form.values) === null) {
      const isAccepted = await showModal({
        title: t('withdrawals.prompt.title'),
        content: t('withdrawals.prompt.text', { amount: formatExact(amount.remaining), asset }),
        confirmText: t('withdrawals.prompt.confirm'),
      })
      if (isAccepted) form.set({ amount: amountText(amount.remaining) })
    }
    form.submit(({ request }) => askServer(request))()
  }

  function submit() {
    if (judged === null) return
    withdraw.mutate(
      { body: judged.request },
      {
        onSuccess: ({ withdraw_id }) => {
          form.clear()
          showToast(t('withdrawals.success.submitted'), { durationMs: LONG_TOAST_MS, tone: 'good' })
          redirectTo('/pages/withdrawal/withdrawalSunccess', { withdraw_id })
        },
      },
    )
  }

  return {
    ...form,
    goOn,
    isChecking: check.isPending,
    judged,
    closeJudged: () => setJudged(null),
    confirm: submit,
    isSubmitting: withdraw.isPending,
  }
}
