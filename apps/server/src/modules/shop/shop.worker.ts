import type { Db } from '../../db/database.ts'
import type { Job } from '../../lib/job.ts'
import type { ShopUpkeep } from './shop.upkeep.ts'

const EXPIRY_INTERVAL_MS = 5_000
const FOLLOW_INTERVAL_MS = 5_000

/** The standing work of the shop. Any number of processes may do it at once. */
export function shopJobs({ db, upkeep }: { db: Db; upkeep: ShopUpkeep }): Job[] {
  return [
    { name: 'expire orders', everyMs: EXPIRY_INTERVAL_MS, run: () => upkeep.expire(db) },
    { name: 'follow reported payments', everyMs: FOLLOW_INTERVAL_MS, run: () => upkeep.followReported(db) },
  ]
}
