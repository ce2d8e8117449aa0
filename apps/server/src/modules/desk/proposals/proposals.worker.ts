import type { Job } from '../../../lib/job.ts'
import type { ProposalsService } from './proposals.service.ts'

const INTERVAL_MS = 5_000

/**
 * Applies proposals approved for later, and expires undecided ones. Any number of processes may run it at the
 * same time.
 */
export function proposalJobs(proposals: ProposalsService): Job[] {
  return [{ name: 'apply proposals', everyMs: INTERVAL_MS, run: () => proposals.runDue() }]
}
