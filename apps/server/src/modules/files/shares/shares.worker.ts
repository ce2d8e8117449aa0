import type { Db } from '../../../db/database.ts'
import type { Job } from '../../../lib/job.ts'
import type { SharesService } from './shares.service.ts'

const REMOVE_EVERY_MS = 3_600_000

/** Returns the standing work of links. They end by themselves; only their rows are cleared. */
export function shareJobs({ db, shares }: { db: Db; shares: SharesService }): Job[] {
  return [{ name: 'delete ended links', everyMs: REMOVE_EVERY_MS, run: () => shares.removeEnded(db) }]
}
