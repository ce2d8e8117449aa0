import type { Db } from '../../db/database.ts'
import type { Job } from '../../lib/job.ts'
import type { Fund } from './fund.service.ts'

const UPKEEP_INTERVAL_MS = 5_000
const PAYOUT_INTERVAL_MS = 5_000

/** Returns the standing work of the fund. Any number of processes may run it at the same time. */
export function fundJobs({ db, fund }: { db: Db; fund: Fund }): Job[] {
  const { payouts } = fund
  return [
    { name: 'expire fund orders', everyMs: UPKEEP_INTERVAL_MS, run: () => fund.expire(db) },
    {
      name: 'follow reported fund payments',
      everyMs: UPKEEP_INTERVAL_MS,
      run: () => fund.followReported(db),
    },
    { name: 'pay redemptions', everyMs: PAYOUT_INTERVAL_MS, run: () => payouts.payDue(db) },
  ]
}
