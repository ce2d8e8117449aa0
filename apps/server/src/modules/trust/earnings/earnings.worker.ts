import type { Job } from '../../../lib/job.ts'
import type { EarningsService } from './earnings.service.ts'

const INTERVAL_MS = 30_000

/** Publishes the figures of each settled day. Any number of processes may run it at the same time. */
export function earningsJobs(earnings: EarningsService): Job[] {
  return [{ name: 'publish earnings', everyMs: INTERVAL_MS, run: () => earnings.publishDue() }]
}
