import type { Db } from '../../db/database.ts'
import type { Job } from '../../lib/job.ts'
import type { SendFollower } from './local-wallet.follow.ts'

const FOLLOW_INTERVAL_MS = 2_000

/** The standing work of the local wallet. Any number of processes may do it at once. */
export function localWalletJobs({ db, follower }: { db: Db; follower: SendFollower }): Job[] {
  return [{ name: 'follow wallet sends', everyMs: FOLLOW_INTERVAL_MS, run: () => follower.followDue(db) }]
}
