import type { Job } from '../../lib/job.ts'
import type { SettlementService } from './settlement.service.ts'

const INTERVAL_MS = 10_000
/** The delay after which a decision made just before midnight, such as a price, has committed. */
const GRACE_MS = 60_000

/** Settles days as they end, missed days first. Any number of processes may run it at the same time. */
export function settlementJobs(settlement: SettlementService): Job[] {
  return [{ name: 'settle days', everyMs: INTERVAL_MS, run: () => settlement.catchUp(GRACE_MS) }]
}
