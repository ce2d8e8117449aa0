import type { FundOrder } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { type Step, Stepper, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { type PurchaseStepId, purchaseSteps, type ViewStep } from '../fund-view.ts'

/** The way of a purchase step by step, with times, the payment's hash and its confirmations. */
export function OrderTimeline({ order }: { order: FundOrder }) {
  const { t } = useTranslation()
  const steps = purchaseSteps(order).map((step): Step => {
    const { id, state } = step
    const title = id === 'paid' && state !== 'done' ? t('fund.step.willBePaid') : t(`fund.step.${id}`)
    return { id, state, title, detail: <StepDetail order={order} step={step} /> }
  })
  return <Stepper label={t('fund.order.progress')} steps={steps} />
}

function StepDetail({ order, step }: { order: FundOrder; step: ViewStep<PurchaseStepId> }) {
  const { t } = useTranslation()
  const { confirmations, confirmations_needed, tx_hash } = order
  if (step.id === 'confirmed') {
    if (step.state === 'waiting') return null
    const count = Math.min(confirmations, confirmations_needed)
    return t('fund.step.confirmations', { count, needed: confirmations_needed })
  }
  return (
    <span className="flex flex-col items-start">
      {step.at !== null && step.state !== 'waiting' && <Time value={step.at} />}
      {step.id === 'sent' && tx_hash !== null && <TxHash value={tx_hash} />}
      {step.id === 'cancelled' && order.cancel_reason !== null && t(`fund.step.by_${order.cancel_reason}`)}
    </span>
  )
}
