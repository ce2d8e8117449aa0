import type { Job } from '../../lib/job.ts'
import type { ProposalsService } from './proposals.service.ts'

const INTERVAL_MS = 5_000

/** Applies what was approved for later, and expires what nobody decided on. Any number of processes may do it at once. */
export function proposalJobs(proposals: ProposalsService): Job[] {
  return [{ name: 'apply proposals', everyMs: INTERVAL_MS, run: () => proposals.runDue() }]
}
