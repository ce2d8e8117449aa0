import type { RewardDetail } from '@rif/api-schema'
import { useExplanation, WorkedOut } from './recomputation.tsx'
import { RewardFrom } from './reward-from.tsx'
import { RewardHead } from './reward-head.tsx'
import { RewardDue } from './reward-origin.tsx'
import { RewardPayment } from './reward-payment.tsx'

export interface RewardExplanationProps {
  reward: RewardDetail
  /** For an operator who looks at a member's reward: each step expanded, without what only the member may read. */
  forOperator?: boolean
}

/** The amount of a reward, its origin, and the calculation, recomputed on this device. Member and operator see the same. */
export function RewardExplanation({ reward, forOperator = false }: RewardExplanationProps) {
  const query = useExplanation(reward)
  const explanation = query.data?.ok ? query.data : undefined
  return (
    <>
      <RewardHead reward={reward} />
      <RewardFrom reward={reward} split={explanation?.split} hasNotes={!forOperator} />
      <WorkedOut reward={reward} query={query} open={forOperator}>
        <RewardDue reward={reward} explanation={explanation} />
        <RewardPayment reward={reward} />
      </WorkedOut>
    </>
  )
}
