import { formatMicros } from '@rif/rules'
import { getAddress, type Hex } from 'viem'
import type { Db } from '../../../db/database.ts'
import { notify } from '../../messages/notices/notices.service.ts'
import type { WithdrawalRow } from './withdrawals.repository.ts'

/** Writes the notice of a step of a withdrawal; on arrival it states the amount received, without the fee. */
export function notifyStep(
  dbTx: Db,
  row: WithdrawalRow,
  topic: 'claim_ready' | 'withdrawal_paid' | 'withdrawal_rejected',
  at: Date,
): Promise<void> {
  const { member_id: memberId, withdrawal_id: id, asset, amount_micros, fee_micros, to_address } = row
  const amount = formatMicros(topic === 'withdrawal_paid' ? amount_micros - fee_micros : amount_micros)
  const facts = { id: `${id}`, asset, amount, address: getAddress(to_address as Hex) }
  return notify(dbTx, { memberId, event: `${topic}/${id}`, topic, facts, at })
}
