import type { Job } from '../../../lib/job.ts'
import type { Erasures } from './person.erasure.service.ts'

const INTERVAL_MS = 60_000

/**
 * Executes requested erasures after the waiting time. Any number of processes may run it at the same time.
 */
export function personJobs({ erasures }: { erasures: Pick<Erasures, 'carryOutDue'> }): Job[] {
  return [{ name: 'erase data of members', everyMs: INTERVAL_MS, run: () => erasures.carryOutDue() }]
}
