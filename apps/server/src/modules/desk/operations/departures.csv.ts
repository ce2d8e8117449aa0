import type { AuditedDeparture } from '@rif/api-schema'
import type { CsvColumn } from '../../../plugins/csv.ts'

/** Withdrawals and transfers as a file for operators. */
export const DEPARTURE_COLUMNS: readonly CsvColumn<AuditedDeparture>[] = [
  ['kind', (one) => one.is],
  ['number', (one) => one.id],
  ['status', (one) => one.status],
  ['member_id', (one) => one.member_id],
  ['member_address', (one) => one.member_address],
  ['asset', (one) => one.asset],
  ['amount', (one) => one.amount],
  ['fee', (one) => one.fee],
  ['worth_usdt', (one) => one.worth_usdt],
  ['address', (one) => one.to],
  ['reasons', (one) => one.reasons.join(' ')],
  ['proposal_id', (one) => one.proposal_id],
  ['created_at', (one) => one.created_at],
  ['ended_at', (one) => one.ended_at],
  ['reviewed_by', (one) => one.reviewed_by],
  ['review_reason', (one) => one.review_reason],
  ['transaction_hash', (one) => one.tx_hash],
]
