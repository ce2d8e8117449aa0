import type { Withdrawal, WithdrawalStatus } from '@rif/api-schema'
import type { StepState, Tone } from '../../ui/index.ts'
import type { OrderStep } from '../../wallet/order-frame.tsx'

/** The colour of each status, which repeats its text. */
export const WITHDRAWAL_TONES: Record<WithdrawalStatus, Tone> = {
  Auditing: 'warn',
  Withdrawable: 'info',
  Success: 'good',
  Rejected: 'bad',
  Cancelled: 'neutral',
}

/** Reports whether a withdrawal can still change: it waits for a review, for its claim or for the chain. */
export const isWithdrawalOpen = ({ status }: Pick<Withdrawal, 'status'>) =>
  status === 'Auditing' || status === 'Withdrawable'

/** Reports whether the whole amount of a withdrawal is back in the member's balance. */
export const isReturned = ({ status }: Pick<Withdrawal, 'status'>) =>
  status === 'Rejected' || status === 'Cancelled'

type ClaimFacts = Pick<Withdrawal, 'status' | 'claim_expires_at' | 'tx_hash'>

/**
 * Returns the state of a withdrawal's claim: none can be made, none was issued yet, one is issued and valid
 * until its deadline, the last one expired unused, or it was seen on chain. Rules, section 7. `nowMs` since
 * the epoch.
 */
export function claimState(
  { status, claim_expires_at, tx_hash }: ClaimFacts,
  nowMs: number,
): 'none' | 'ready' | 'out' | 'expired' | 'seen' {
  if (status !== 'Withdrawable') return 'none'
  if (tx_hash !== null) return 'seen'
  if (claim_expires_at === null) return 'ready'
  return Date.parse(claim_expires_at) > nowMs ? 'out' : 'expired'
}

export type WithdrawalStep = OrderStep<
  'requested' | 'auditing' | 'withdrawable' | 'success' | 'rejected' | 'cancelled'
>

/**
 * Returns the steps of a withdrawal: Auditing only if it was needed, then Withdrawable, then Success, or the
 * step where it ended.
 */
export function withdrawalSteps(withdrawal: Withdrawal): WithdrawalStep[] {
  const { status, reasons, tx_hash, reviewed_at } = withdrawal
  const step = (id: WithdrawalStep['id'], state: StepState, at: string | null = null) => ({ id, state, at })
  const wasReviewed = reviewed_at !== null
  const steps = [step('requested', 'done', withdrawal.created_at)]
  if (reasons.length > 0) {
    const isWaiting = status === 'Cancelled' && !wasReviewed
    const state = status === 'Auditing' ? 'active' : isWaiting ? 'skipped' : 'done'
    steps.push(step('auditing', state, reviewed_at))
  }
  switch (status) {
    case 'Rejected':
      return [...steps, step('rejected', 'failed', reviewed_at)]
    case 'Cancelled':
      return [...steps, step('cancelled', 'failed')]
    case 'Auditing':
      return [...steps, step('withdrawable', 'waiting'), step('success', 'waiting')]
    case 'Withdrawable': {
      const isSeen = tx_hash !== null
      return [
        ...steps,
        step('withdrawable', isSeen ? 'done' : 'active'),
        step('success', isSeen ? 'active' : 'waiting'),
      ]
    }
    case 'Success':
      return [...steps, step('withdrawable', 'done'), step('success', 'done', withdrawal.completed_at)]
  }
}
