import type { Db } from '../../db/database.ts'
import type { Job } from '../../lib/job.ts'
import type { LedgerService } from './ledger.service.ts'

const INTERVAL_MS = 2_000

/** Returns the job that adds new postings to the sums by day and to pools, so that reads of all books stay fast. */
export function ledgerJobs({ db, ledger }: { db: Db; ledger: LedgerService }): Job[] {
  return [{ name: 'fold flows', everyMs: INTERVAL_MS, run: () => ledger.foldFlows(db) }]
}
