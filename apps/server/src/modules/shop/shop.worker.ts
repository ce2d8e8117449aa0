import type { Db } from '../../db/database.ts'
import type { Job } from '../../lib/job.ts'
import type { Shop } from './shop.service.ts'

const EXPIRY_INTERVAL_MS = 5_000
const FOLLOW_INTERVAL_MS = 5_000

/** Returns the periodic jobs of the shop. Any number of processes may run them at once. */
export function shopJobs({ db, shop }: { db: Db; shop: Shop }): Job[] {
  return [
    { name: 'expire orders', everyMs: EXPIRY_INTERVAL_MS, run: () => shop.expire(db) },
    { name: 'follow reported payments', everyMs: FOLLOW_INTERVAL_MS, run: () => shop.followReported(db) },
  ]
}
