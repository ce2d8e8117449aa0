import type { SavingsInterest, SavingsTransfer } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import type { InterestRow, SavingsTransferRow } from './savings.repository.ts'

/** Returns a transfer in the API's format. */
export function transferView(row: SavingsTransferRow): SavingsTransfer {
  return {
    transfer_id: `${row.transfer_id}`,
    asset: row.asset,
    direction: row.direction,
    amount: formatMicros(row.amount_micros),
    created_at: row.created_at.toISOString(),
    arrives_at: row.arrives_at.toISOString(),
    arrived_at: row.arrived_at?.toISOString() ?? null,
  }
}

/** Returns a day's interest in the API's format. */
export function interestView(row: InterestRow): SavingsInterest {
  return {
    asset: row.asset,
    day: row.day,
    principal: formatMicros(row.principalMicros),
    rate_ppm: row.ratePpm,
    due: formatMicros(row.dueMicros),
    coverage_ppm: row.coveragePpm,
    paid: formatMicros(row.paidMicros),
  }
}
