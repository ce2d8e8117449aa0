import type { SettlementRerun } from '@rif/api-schema'
import { type Day, nextDay, startOfDay } from '@rif/rules'
import { type Db, inDbTx } from '../../../db/database.ts'
import { type AskedJob, createAskedJobs } from '../../../lib/asked-jobs.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { AdminLogService } from '../../admin-log/admin-log.service.ts'
import { requireRunning } from '../../gates/gates.service.ts'
import type { SettlementService } from '../settlement.service.ts'
import type { SettlementDaysService } from './days.service.ts'

/** A worker that has said nothing for so long is taken for dead. */
const QUIET_MS = 30_000

interface RerunRequest {
  readonly day: Day
}

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly settlement: Pick<SettlementService, 'settle' | 'nextToSettle'>
  readonly days: Pick<SettlementDaysService, 'lacksPrice'>
  readonly adminLog: AdminLogService
}

export type SettlementRerunService = ReturnType<typeof createSettlementRerun>

/** Settling a day again after an alarm, asked for by an operator and done by a worker. */
export function createSettlementRerun({ db, now, log, settlement, days, adminLog }: Deps) {
  const reruns = createAskedJobs<RerunRequest, null>({ db, now, log, kind: 'rerun', quietMs: QUIET_MS })

  async function last(on: Db): Promise<{ rerun: SettlementRerun | null }> {
    const rerun = await reruns.last(on)
    return { rerun: rerun === undefined ? null : view(rerun) }
  }

  /** Throws what stands against settling the day now. */
  async function requirePossible(dbTx: Db, day: Day): Promise<void> {
    await requireRunning(dbTx, 'settlement')
    const next = await settlement.nextToSettle()
    if (next !== day) throw new AppError('DAY_OUT_OF_ORDER', { day: next ?? day })
    if (now().getTime() < startOfDay(nextDay(day))) throw new AppError('DAY_NOT_ENDED', { day })
    if (await days.lacksPrice(dbTx, day)) throw new AppError('PRICE_UNAVAILABLE', { day })
  }

  async function settle({ day }: RerunRequest): Promise<null> {
    await requireRunning(db, 'settlement')
    await settlement.settle(day)
    return null
  }

  return {
    /** The last one that was asked for. */
    last: () => last(db),

    /**
     * Asks for a day to be settled; one that waits or runs already is the answer then. Throws PAUSED, DAY_OUT_OF_ORDER with
     * the day whose turn it is, DAY_NOT_ENDED, and PRICE_UNAVAILABLE as long as that is what stops it.
     */
    request(actor: string, day: Day): Promise<{ rerun: SettlementRerun | null }> {
      return inDbTx(db, async (dbTx) => {
        await requirePossible(dbTx, day)
        const subject = `settlement/${day}`
        if (await reruns.ask(dbTx, { subject, request: { day }, actor })) {
          await adminLog.record(dbTx, { actor, action: 'settlement.rerun', subject })
        }
        return last(dbTx)
      })
    },

    /**
     * Does the one that was asked for, if one was; tells whether. Whoever dies in it leaves it to the next, who goes on
     * where the settlement stopped; settling beside the daily worker shares the work.
     */
    runWaiting: (): Promise<boolean> =>
      reruns.runWaiting(settle, (dbTx, { day }, failure) =>
        adminLog.record(dbTx, {
          ...{ actor: 'worker', action: 'settlement.rerun.end', subject: `settlement/${day}` },
          after: { step: failure === null ? 'done' : 'failed', ...(failure !== null && { failure }) },
        }),
      ),
  }
}

const view = (rerun: AskedJob<RerunRequest, null>): SettlementRerun => ({
  rerun_id: `${rerun.jobId}`,
  day: rerun.request.day,
  // Nobody gives one up.
  step: rerun.step === 'cancelled' ? 'failed' : rerun.step,
  requested_by: rerun.requestedBy,
  requested_at: rerun.requestedAt.toISOString(),
  finished_at: rerun.finishedAt?.toISOString() ?? null,
  failure: rerun.failure,
})
