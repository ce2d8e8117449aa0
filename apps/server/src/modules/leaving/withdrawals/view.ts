import type { ClaimRefusal, ClaimWait, KeyChange, Withdrawal } from '@rif/api-schema'
import { formatMicros, OPEN_WITHDRAWAL_STATUSES } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type ChainPace, confirmationsOf, secondsOf } from '../../../chain/confirmations.ts'
import { isFinalOnL1 } from '../../../chain/l1-finality.ts'
import { packOnChainId } from '../../../chain/onchain-id.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'
import { netMicros } from './withdrawals.steps.service.ts'

/** Returns a withdrawal in the API's format. */
export function withdrawalView(row: WithdrawalRow, pace: ChainPace): Withdrawal {
  return {
    withdraw_id: `${row.withdrawal_id}`,
    chain_withdrawal_id: `${packOnChainId(row.member_id, row.withdrawal_id)}`,
    type: 'wallet',
    asset: row.asset,
    amount: formatMicros(row.amount_micros),
    refund: formatMicros(row.refund_micros),
    fee: formatMicros(row.fee_micros),
    receives: formatMicros(netMicros(row)),
    worth_usdt: formatMicros(row.worth_micros),
    address: getAddress(row.to_address as Hex),
    status: row.status,
    reasons: [...row.reasons],
    created_at: row.created_at.toISOString(),
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    reject_reason: row.status === 'Rejected' ? row.review_reason : null,
    claim_wait: claimWaitOf(row, pace),
    refusal: refusalOf(row),
    key_change: keyChangeOf(row, pace),
    claim_expires_at: row.claim_expires_at?.toISOString() ?? null,
    tx_hash: row.tx_hash,
    confirmations: confirmationsOf(row.seen_block, row.status === 'Success', pace),
    confirmations_needed: pace.confirmationsNeeded,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}

/** Returns the refusal of the signer that an open withdrawal has; null if there is none. */
function refusalOf({
  status,
  signer_refusal: reason,
  signer_refused_at: at,
}: WithdrawalRow): ClaimRefusal | null {
  if (status !== 'Withdrawable' || reason === null || at === null) return null
  const isNamed = reason === 'not_reviewed' || reason === 'not_signed'
  return {
    reason: isNamed ? reason : reason.startsWith('limit_') ? 'limit' : 'checked',
    at: at.toISOString(),
  }
}

/** Returns the change of the claim key that an unclaimed withdrawal waits for; null if there is none. */
export function keyChangeOf(
  { status, seen_block }: Pick<WithdrawalRow, 'status' | 'seen_block'>,
  { keyChange }: ChainPace,
): KeyChange | null {
  if (status !== 'Withdrawable' || seen_block !== null || keyChange === null) return null
  return { executable_at: keyChange.executableAt?.toISOString() ?? null }
}

/**
 * Returns the L1 finality that the claim of an open withdrawal waits for: of the bookings at its request, and
 * of a bank's last hand-over. Null if it waits for nothing.
 */
export function claimWaitOf(row: WithdrawalRow, pace: ChainPace): ClaimWait | null {
  const isOpen = (OPEN_WITHDRAWAL_STATUSES as readonly string[]).includes(row.status)
  const { l1FinalMs, handOver } = pace
  const booked = { blockNumber: row.booked_block, blockAt: row.booked_block_at }
  const awaited = handOver !== null && handOver.blockNumber > booked.blockNumber ? handOver : booked
  if (!isOpen || isFinalOnL1(awaited.blockNumber, pace.l1FinalNumber)) return null
  return {
    block: `${awaited.blockNumber}`,
    l1_final_block: pace.l1FinalNumber === null ? null : `${pace.l1FinalNumber}`,
    usual_seconds: secondsOf(l1FinalMs),
    expected_at: l1FinalMs === null ? null : new Date(awaited.blockAt.getTime() + l1FinalMs).toISOString(),
  }
}
