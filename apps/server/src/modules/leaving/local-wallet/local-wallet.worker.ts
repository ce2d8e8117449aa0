import type { Db } from '../../../db/database.ts'
import type { Job } from '../../../lib/job.ts'
import type { LocalWalletService } from './local-wallet.service.ts'

const FOLLOW_INTERVAL_MS = 2_000

/** Returns the periodic work of the local wallet. Any number of processes may run it at the same time. */
export function localWalletJobs({ db, localWallet }: { db: Db; localWallet: LocalWalletService }): Job[] {
  const run = () => localWallet.followDue(db)
  return [{ name: 'follow wallet sends', everyMs: FOLLOW_INTERVAL_MS, run }]
}
