import type { Job } from '../../../lib/job.ts'
import type { BankWatch } from './bank-watch.service.ts'

const LOOK_INTERVAL_MS = 15_000

/** Returns the periodic check of the bank contract. Any number of processes may run it at the same time. */
export function bankWatchJobs(bankWatch: BankWatch): Job[] {
  return [{ name: 'watch the bank contract', everyMs: LOOK_INTERVAL_MS, run: bankWatch.look }]
}
