import type { Withdrawal } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import { type ChainHead, confirmationsOf } from '../../chain/confirmations.ts'
import { packOnChainId } from '../../chain/onchain-id.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'
import { netMicros } from './withdrawals.steps.service.ts'

/** A withdrawal as the API answers it. */
export function withdrawalView(row: WithdrawalRow, head: ChainHead): Withdrawal {
  return {
    withdraw_id: `${row.withdrawal_id}`,
    chain_withdrawal_id: `${packOnChainId(row.member_id, row.withdrawal_id)}`,
    type: 'wallet',
    asset: row.asset,
    amount: formatMicros(row.amount_micros),
    fee: formatMicros(row.fee_micros),
    receives: formatMicros(netMicros(row)),
    worth_usdt: formatMicros(row.worth_micros),
    address: getAddress(row.to_address as Hex),
    status: row.status,
    reasons: [...row.reasons],
    created_at: row.created_at.toISOString(),
    reviewed_at: row.reviewed_at?.toISOString() ?? null,
    reject_reason: row.status === 'Rejected' ? row.review_reason : null,
    claim_expires_at: row.claim_expires_at?.toISOString() ?? null,
    tx_hash: row.tx_hash,
    confirmations: confirmationsOf(row.seen_block, row.status === 'Success', head),
    confirmations_needed: head.confirmationsNeeded,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
