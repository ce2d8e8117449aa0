import type { Withdrawal } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { type Step, Stepper, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { type WithdrawalStep, withdrawalSteps } from '../withdrawal-view.ts'

/** The way of a withdrawal: Auditing, Withdrawable, Success, with times, the claim's hash and its confirmations. */
export function WithdrawalTimeline({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useTranslation()
  const steps = withdrawalSteps(withdrawal).map((step): Step => {
    const { id, state } = step
    return {
      id,
      state,
      title: t(`withdrawals.step.${id}`),
      detail: <StepDetail withdrawal={withdrawal} step={step} />,
    }
  })
  return <Stepper label={t('withdrawals.detail.progress')} steps={steps} />
}

function StepDetail({ withdrawal, step }: { withdrawal: Withdrawal; step: WithdrawalStep }) {
  const { t } = useTranslation()
  const { tx_hash, confirmations, confirmations_needed } = withdrawal
  return (
    <span className="flex flex-col items-start">
      {step.at !== null && <Time value={step.at} />}
      {step.id === 'success' && step.state === 'active' && (
        <span>
          {t('withdrawals.step.confirmations', {
            count: Math.min(confirmations, confirmations_needed),
            needed: confirmations_needed,
          })}
        </span>
      )}
      {step.id === 'success' && tx_hash !== null && <TxHash value={tx_hash} />}
    </span>
  )
}
