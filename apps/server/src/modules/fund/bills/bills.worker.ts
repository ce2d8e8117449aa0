import type { Month } from '@rif/rules'
import type { Db } from '../../../db/database.ts'
import { createJobs, type JobHandler } from '../../../jobs/jobs.service.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Job } from '../../../lib/job.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { FundBills } from './bills.service.ts'

const REQUEST_INTERVAL_MS = 60_000
const QUIET_MS = 60_000

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly bills: Pick<FundBills, 'dueMonth' | 'makeMonth'>
}

/**
 * Creates the job that makes the bills of a month, and the standing work that requests it for the oldest
 * month without bills, so that months in which no worker ran are billed later.
 */
export function createBillJobs({ db, now, log, bills }: Deps): { handler: JobHandler; standing: Job } {
  const jobs = createJobs<{ month: Month }, number>({
    db,
    now,
    log,
    kind: 'bills',
    quietMs: QUIET_MS,
    untilDone: true,
  })
  return {
    handler: jobs.handler(({ month }) => bills.makeMonth(db, month)),
    standing: {
      name: 'request monthly bills',
      everyMs: REQUEST_INTERVAL_MS,
      async run() {
        const month = await bills.dueMonth(db)
        if (month !== null) await jobs.request(db, { subject: month, request: { month }, actor: 'worker' })
      },
    },
  }
}
