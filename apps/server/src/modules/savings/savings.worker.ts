import type { Job } from '../../lib/job.ts'
import type { SavingsService } from './savings.service.ts'
import type { StandingSavings } from './savings.standing.service.ts'

const INTERVAL_MS = 2_000
const STANDING_MS = 60_000

/** Lets what was taken out of savings arrive, and makes the standing transfers. Any number of processes may do it at once. */
export function savingsJobs(
  savings: Pick<SavingsService, 'arriveDue'>,
  standingSavings: Pick<StandingSavings, 'moveDue'>,
): Job[] {
  return [
    { name: 'let savings arrive', everyMs: INTERVAL_MS, run: () => savings.arriveDue() },
    { name: 'make standing transfers', everyMs: STANDING_MS, run: () => standingSavings.moveDue() },
  ]
}
