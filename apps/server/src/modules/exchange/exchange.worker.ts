import type { Job } from '../../lib/job.ts'
import type { Allocation } from './exchange.allocation.service.ts'

const INTERVAL_MS = 5_000

/** Allocates VC launches as they end. Any number of processes may run it at the same time. */
export function exchangeJobs(allocation: Allocation): Job[] {
  return [{ name: 'allocate VC launches', everyMs: INTERVAL_MS, run: () => allocation.run() }]
}
