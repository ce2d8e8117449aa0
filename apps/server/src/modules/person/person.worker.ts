import type { Job } from '../../lib/job.ts'
import type { Erasures } from './person.erasure.service.ts'

const INTERVAL_MS = 60_000

/** Erases what members have requested, after the waiting time. Any number of processes may do it at once. */
export function personJobs({ erasures }: { erasures: Pick<Erasures, 'carryOutDue'> }): Job[] {
  return [{ name: 'erase data of members', everyMs: INTERVAL_MS, run: () => erasures.carryOutDue() }]
}
