import type { Job } from '../../lib/job.ts'
import type { SavingsService } from './savings.service.ts'
import type { StandingSavings } from './savings.standing.service.ts'

const INTERVAL_MS = 5_000
const STANDING_MS = 60_000

/**
 * Completes withdrawals from savings, and executes the standing transfers. Any number of processes may run it
 * at the same time.
 */
export function savingsJobs(
  savings: Pick<SavingsService, 'arriveDue'>,
  standingSavings: Pick<StandingSavings, 'moveDue'>,
): Job[] {
  return [
    { name: 'let savings arrive', everyMs: INTERVAL_MS, run: () => savings.arriveDue() },
    { name: 'make standing transfers', everyMs: STANDING_MS, run: () => standingSavings.moveDue() },
  ]
}
