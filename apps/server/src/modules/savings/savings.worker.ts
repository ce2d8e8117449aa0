import type { Job } from '../../lib/job.ts'
import type { SavingsService } from './savings.service.ts'

const INTERVAL_MS = 2_000

/** Lets what was taken out of savings arrive. Any number of processes may do it at once. */
export function savingsJobs(savings: Pick<SavingsService, 'arriveDue'>): Job[] {
  return [{ name: 'let savings arrive', everyMs: INTERVAL_MS, run: () => savings.arriveDue() }]
}
