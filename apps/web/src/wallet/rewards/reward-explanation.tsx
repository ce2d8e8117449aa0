import type { RewardDetail } from '@rif/api-schema'
import { useExplanation, WorkedOut } from './recomputation.tsx'
import { RewardFrom } from './reward-from.tsx'
import { RewardHead } from './reward-head.tsx'
import { RewardDue } from './reward-origin.tsx'
import { RewardPayment } from './reward-payment.tsx'

export interface RewardExplanationProps {
  reward: RewardDetail
  /** Expands the steps from the start. */
  open?: boolean
}

/** The amount of a reward, its origin, and the calculation, recomputed on this device. Member and operator see the same. */
export function RewardExplanation({ reward, open = false }: RewardExplanationProps) {
  const query = useExplanation(reward)
  const explanation = query.data?.ok ? query.data : undefined
  return (
    <>
      <RewardHead reward={reward} />
      <RewardFrom reward={reward} split={explanation?.split} />
      <WorkedOut reward={reward} query={query} open={open}>
        <RewardDue reward={reward} explanation={explanation} />
        <RewardPayment reward={reward} />
      </WorkedOut>
    </>
  )
}
