import type { Order } from '@rif/api-schema'
import { useTranslation } from '../../../lib/index.ts'
import { type Step, Stepper, Time } from '../../../ui/index.ts'
import { TxHash } from '../../../wallet/contract-facts.tsx'
import { type OrderStep, orderSteps } from '../order-view.ts'

/** The way of an order step by step, with times, the payment's hash and its confirmations. */
export function OrderTimeline({ order }: { order: Order }) {
  const { t } = useTranslation()
  const steps = orderSteps(order).map((step): Step => {
    const { id, state } = step
    return { id, state, title: t(`shop.step.${id}`), detail: <StepDetail order={order} step={step} /> }
  })
  return <Stepper label={t('shop.detail.progress')} steps={steps} />
}

function StepDetail({ order, step }: { order: Order; step: OrderStep }) {
  const { t } = useTranslation()
  const { confirmations, confirmations_needed, tx_hash } = order
  if (step.id === 'confirmed') {
    if (step.state === 'waiting') return null
    const count = Math.min(confirmations, confirmations_needed)
    return t('shop.step.confirmations', { count, needed: confirmations_needed })
  }
  return (
    <span className="flex flex-col items-start">
      {step.at !== null && <Time value={step.at} />}
      {step.id === 'sent' && tx_hash !== null && <TxHash value={tx_hash} />}
      {step.id === 'sent' && step.state === 'waiting' && t('shop.step.waiting')}
    </span>
  )
}
