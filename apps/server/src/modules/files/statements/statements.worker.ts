import type { Db } from '../../../db/database.ts'
import type { Job } from '../../../lib/job.ts'
import type { StatementsService } from './statements.service.ts'

/** Members wait for files, most of which take less than a second. */
const LOOK_EVERY_MS = 2_000
const REMOVE_EVERY_MS = 60_000

/** Returns the standing work of statements. Two files are made at a time, so that a short one does not wait for a long one. */
export function statementJobs({ db, statements }: { db: Db; statements: StatementsService }): Job[] {
  const makeAll = async () => {
    while (await statements.makeNext(db));
  }
  return [
    { name: 'make statements', everyMs: LOOK_EVERY_MS, run: makeAll },
    { name: 'make statements beside long ones', everyMs: LOOK_EVERY_MS, run: makeAll },
    { name: 'delete expired statements', everyMs: REMOVE_EVERY_MS, run: () => statements.removeOverdue(db) },
  ]
}
