import type { Job } from '../../../lib/job.ts'
import type { Guard } from './guard.service.ts'

/** The interval within which a cause closes the gate: a minute. */
const LOOK_INTERVAL_MS = 15_000

/**
 * Returns the periodic checks of the guard. Any number of processes may run them at the same time.
 */
export function guardJobs({ guard }: { guard: Guard }): Job[] {
  return [
    { name: 'compare holdings with liabilities', everyMs: LOOK_INTERVAL_MS, run: guard.checkHoldings },
    { name: 'look at the age of the last report', everyMs: LOOK_INTERVAL_MS, run: guard.checkSnapshot },
    { name: 'audit the books', everyMs: LOOK_INTERVAL_MS, run: guard.auditWhenDue },
  ]
}
