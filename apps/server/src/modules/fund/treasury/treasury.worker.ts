import type { Job } from '../../../lib/job.ts'
import type { ExitsService } from './treasury.exits.service.ts'

const INTERVAL_MS = 10_000

/**
 * Releases the amounts of exits that ended without being executed. Any number of processes may run it at the
 * same time.
 */
export function treasuryJobs({ exits }: { exits: ExitsService }): Job[] {
  return [{ name: 'release ended exits', everyMs: INTERVAL_MS, run: () => exits.settleEnded() }]
}
