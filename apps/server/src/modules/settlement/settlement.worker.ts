import type { Job } from '../../lib/job.ts'
import type { SettlementDaysService } from './days/days.service.ts'
import type { SettlementRerunService } from './days/rerun.service.ts'
import type { SettlementService } from './settlement.service.ts'

const INTERVAL_MS = 10_000
/** What was decided just before midnight, a price say, has been committed by then. */
const GRACE_MS = 60_000

/** An admin looks at the page and waits. */
const ASKED_INTERVAL_MS = 1_000

/** Does the dry runs that admins ask for, and settles the days that they want settled again. */
export function askedJobs(days: SettlementDaysService, rerun: SettlementRerunService): Job[] {
  return [
    { name: 'dry run', everyMs: ASKED_INTERVAL_MS, run: () => days.runWaiting() },
    { name: 'settle again', everyMs: ASKED_INTERVAL_MS, run: () => rerun.runWaiting() },
  ]
}

/** Settles days as they end, and first those that were missed. Any number of processes may do it at once. */
export function settlementJobs(settlement: SettlementService): Job[] {
  return [{ name: 'settle days', everyMs: INTERVAL_MS, run: () => settlement.catchUp(GRACE_MS) }]
}
