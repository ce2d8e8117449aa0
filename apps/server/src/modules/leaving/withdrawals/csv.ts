import type { Withdrawal } from '@rif/api-schema'
import type { CsvColumn } from '../../../plugins/csv.ts'

/** Withdrawals as a file. */
export const WITHDRAWAL_COLUMNS: readonly CsvColumn<Withdrawal>[] = [
  ['withdraw_id', (withdrawal) => withdrawal.withdraw_id],
  ['status', (withdrawal) => withdrawal.status],
  ['asset', (withdrawal) => withdrawal.asset],
  ['amount', (withdrawal) => withdrawal.amount],
  ['refund', (withdrawal) => withdrawal.refund],
  ['fee', (withdrawal) => withdrawal.fee],
  ['receives', (withdrawal) => withdrawal.receives],
  ['worth_usdt', (withdrawal) => withdrawal.worth_usdt],
  ['address', (withdrawal) => withdrawal.address],
  ['transaction_hash', (withdrawal) => withdrawal.tx_hash],
  ['created_at', (withdrawal) => withdrawal.created_at],
  ['reviewed_at', (withdrawal) => withdrawal.reviewed_at],
  ['reject_reason', (withdrawal) => withdrawal.reject_reason],
  ['completed_at', (withdrawal) => withdrawal.completed_at],
]
