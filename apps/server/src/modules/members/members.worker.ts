import type { Db } from '../../db/database.ts'
import type { Job } from '../../lib/job.ts'
import type { MembersService } from './members.service.ts'

const INTERVAL_MS = 5_000

/** Returns the job that adds sign-ups and purchases to the sums of teams and days, so that reads of them stay fast. */
export function memberJobs({ db, members }: { db: Db; members: MembersService }): Job[] {
  return [{ name: 'fold teams', everyMs: INTERVAL_MS, run: () => members.fold(db) }]
}
