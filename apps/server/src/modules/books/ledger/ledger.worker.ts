import type { Db } from '../../../db/database.ts'
import type { Job } from '../../../lib/job.ts'
import type { LedgerService } from './ledger.service.ts'

const INTERVAL_MS = 5_000

/**
 * Returns the job that folds new postings into daily sums and pools, so that reads of all books stay fast.
 */
export function ledgerJobs({ db, ledger }: { db: Db; ledger: LedgerService }): Job[] {
  return [{ name: 'fold flows', everyMs: INTERVAL_MS, run: () => ledger.flows.fold(db) }]
}
