import type { Transfer } from '@rif/api-schema'
import type { CsvColumn } from '../../../plugins/csv.ts'

/** The columns of the CSV file of transfers. */
export const TRANSFER_COLUMNS: readonly CsvColumn<Transfer>[] = [
  ['transfer_id', (transfer) => transfer.transfer_id],
  ['direction', (transfer) => transfer.direction],
  ['address', (transfer) => transfer.counterpart],
  ['name', (transfer) => transfer.label],
  ['asset', (transfer) => transfer.asset],
  ['amount', (transfer) => transfer.amount],
  ['created_at', (transfer) => transfer.created_at],
]
