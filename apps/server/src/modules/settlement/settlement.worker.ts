import type { Job } from '../../lib/job.ts'
import type { SettlementService } from './settlement.service.ts'

const INTERVAL_MS = 10_000
/** A decision made just before midnight, such as a price, is committed by then. */
const GRACE_MS = 60_000

/** Settles days as they end, and first those that were missed. Any number of processes may do it at once. */
export function settlementJobs(settlement: SettlementService): Job[] {
  return [{ name: 'settle days', everyMs: INTERVAL_MS, run: () => settlement.catchUp(GRACE_MS) }]
}
