import type { Db } from '../../../db/database.ts'
import type { Job } from '../../../lib/job.ts'
import type { Reversals } from './reversals.service.ts'

/** Collects members' debts soon after a credit. */
export function reversalJobs({ db, reversals }: { db: Db; reversals: Reversals }): Job[] {
  return [{ name: 'debts', everyMs: 5_000, run: () => reversals.collectDebts(db) }]
}
