import type { AuditRun } from '@rif/api-schema'
import { type Db, inTx } from '../../../db/database.ts'
import { createJobs, type StoredJob } from '../../../jobs/jobs.service.ts'
import type { Now } from '../../../lib/clock.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { Guard } from './guard.service.ts'

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly adminLog: AdminLogService
  readonly guard: Pick<Guard, 'auditNow'>
}

type Request = Record<string, never>

interface Result {
  readonly differences: number
}

export type AuditRuns = ReturnType<typeof createAuditRuns>

const QUIET_MS = 30_000
const SUBJECT = 'guard/audit'

/**
 * Creates the audits that an operator requests and a worker runs. Simultaneous requests result in one audit.
 */
export function createAuditRuns({ db, now, log, adminLog, guard }: Deps) {
  const runs = createJobs<Request, Result>({ db, now, log, kind: 'audit', quietMs: QUIET_MS })

  async function last(on: Db): Promise<{ run: AuditRun | null }> {
    const run = await runs.last(on)
    return { run: run === undefined ? null : view(run) }
  }

  return {
    /** Returns the newest requested audit. */
    last: () => last(db),

    /** Requests an audit of changes, or returns the waiting or running request. */
    request: (actor: string): Promise<{ run: AuditRun | null }> =>
      inTx(db, async (dbTx) => {
        if (await runs.request(dbTx, { subject: SUBJECT, request: {}, actor }))
          await adminLog.record(dbTx, { actor, action: 'guard.audit', subject: SUBJECT })
        return last(dbTx)
      }),

    /** Runs requested audits in a worker. */
    handler: runs.handler(async () => ({ differences: await guard.auditNow() })),
  }
}

const view = (run: StoredJob<Request, Result>): AuditRun => ({
  run_id: `${run.jobId}`,
  // Nobody can cancel it.
  step: run.step === 'cancelled' ? 'failed' : run.step,
  requested_by: run.requestedBy,
  requested_at: run.requestedAt.toISOString(),
  finished_at: run.finishedAt?.toISOString() ?? null,
  differences: run.result?.differences ?? null,
})
