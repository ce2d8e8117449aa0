import type { AuditedDeparture } from '@rif/api-schema'
import type { CsvColumn } from '../../../plugins/csv.ts'

/** Withdrawals and transfers as a file for operators. */
export const DEPARTURE_COLUMNS: readonly CsvColumn<AuditedDeparture>[] = [
  ['kind', (row) => row.is],
  ['number', (row) => row.id],
  ['status', (row) => row.status],
  ['member_id', (row) => row.member_id],
  ['member_address', (row) => row.member_address],
  ['asset', (row) => row.asset],
  ['amount', (row) => row.amount],
  ['fee', (row) => row.fee],
  ['worth_usdt', (row) => row.worth_usdt],
  ['address', (row) => row.to],
  ['reasons', (row) => row.reasons.join(' ')],
  ['proposal_id', (row) => row.proposal_id],
  ['created_at', (row) => row.created_at],
  ['ended_at', (row) => row.ended_at],
  ['reviewed_by', (row) => row.reviewed_by],
  ['review_reason', (row) => row.review_reason],
  ['transaction_hash', (row) => row.tx_hash],
]
