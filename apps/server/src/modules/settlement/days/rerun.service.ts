import type { SettlementRerun } from '@rif/api-schema'
import { type Day, nextDay, startOfDay } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { createJobs, type StoredJob } from '../../../jobs/jobs.service.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { requireRunning } from '../../access/gates/gates.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { SettlementService } from '../settlement.service.ts'
import type { SettlementDaysService } from './days.service.ts'

const QUIET_MS = 30_000

interface RerunRequest {
  readonly day: Day
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly settlement: Pick<SettlementService, 'settle' | 'nextToSettle' | 'maySettle'>
  readonly days: Pick<SettlementDaysService, 'lacksPrice'>
  readonly adminLog: AdminLogService
}

export type SettlementRerunService = ReturnType<typeof createSettlementRerun>

/** Creates the repeated settlements of a day after an alarm, which an operator requests and a worker runs. */
export function createSettlementRerun({ db, now, log, settlement, days, adminLog }: Deps) {
  const reruns = createJobs<RerunRequest, null>({ db, now, log, kind: 'rerun', quietMs: QUIET_MS })

  async function last(on: Db): Promise<{ rerun: SettlementRerun | null }> {
    const rerun = await reruns.last(on)
    return { rerun: rerun === undefined ? null : view(rerun) }
  }

  /** Throws the error that prevents settling the day now. */
  async function requirePossible(dbTx: Db, day: Day): Promise<void> {
    await requireRunning(dbTx, 'settlement')
    const next = await settlement.nextToSettle(dbTx)
    if (next !== day) throw new AppError('DAY_OUT_OF_ORDER', { day: next ?? day })
    if (now().getTime() < startOfDay(nextDay(day))) throw new AppError('DAY_NOT_ENDED', { day })
    if (!(await settlement.maySettle(day, dbTx))) throw new AppError('DAY_NOT_FINAL', { day })
    if (await days.lacksPrice(dbTx, day)) throw new AppError('PRICE_UNAVAILABLE', { day })
  }

  async function settle({ day }: RerunRequest): Promise<null> {
    await requireRunning(db, 'settlement')
    await settlement.settle(day)
    return null
  }

  return {
    /** Returns the newest repeated settlement. */
    last: () => last(db),

    /**
     * Requests the settlement of a day, or returns the waiting or running request. Throws PAUSED,
     * DAY_OUT_OF_ORDER with the next day, DAY_NOT_ENDED, DAY_NOT_FINAL, and PRICE_UNAVAILABLE while a price
     * is missing.
     */
    request(actor: string, day: Day): Promise<{ rerun: SettlementRerun | null }> {
      return inTx(db, async (dbTx) => {
        await requirePossible(dbTx, day)
        const subject = `settlement/${day}`
        if (await reruns.request(dbTx, { subject, request: { day }, actor })) {
          await adminLog.record(dbTx, { actor, action: 'settlement.rerun', subject })
        }
        return last(dbTx)
      })
    },

    /**
     * Runs repeated settlements in a worker. After a worker has died, the next one continues where the
     * settlement stopped. The daily worker may settle the same day at the same time: the two share the work.
     */
    reruns: reruns.handler(settle, (dbTx, { day }, failure) =>
      adminLog.record(dbTx, {
        actor: 'worker',
        action: 'settlement.rerun.end',
        subject: `settlement/${day}`,
        after: { step: failure === null ? 'done' : 'failed', ...(failure !== null && { failure }) },
      }),
    ),
  }
}

const view = (rerun: StoredJob<RerunRequest, null>): SettlementRerun => ({
  rerun_id: `${rerun.jobId}`,
  day: rerun.request.day,
  // It cannot be cancelled.
  step: rerun.step === 'cancelled' ? 'failed' : rerun.step,
  requested_by: rerun.requestedBy,
  requested_at: rerun.requestedAt.toISOString(),
  finished_at: rerun.finishedAt?.toISOString() ?? null,
  failure: rerun.failure,
})
