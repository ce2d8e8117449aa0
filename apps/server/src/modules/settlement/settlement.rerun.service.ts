import type { SettlementRerun } from '@rif/api-schema'
import { type Day, nextDay, startOfDay } from '@rif/rules'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AdminLogService } from '../admin/admin-log.service.ts'
import { requireRunning } from '../gates/gates.service.ts'
import type { SettlementDaysService } from './settlement.days.service.ts'
import * as repository from './settlement.rerun.repository.ts'
import type { SettlementService } from './settlement.service.ts'

/** A worker at it says so this often; one that has said nothing for so long is taken for dead. */
const BEAT_MS = 5_000
const QUIET_MS = 30_000

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
  async function last(on: Db): Promise<{ rerun: SettlementRerun | null }> {
    const row = await repository.lastRerun(on)
    return { rerun: row === undefined ? null : view(row) }
  }

  /** Throws what stands against settling the day now. */
  async function requirePossible(dbTx: Db, day: Day): Promise<void> {
    await requireRunning(dbTx, 'settlement')
    const next = await settlement.nextToSettle()
    if (next !== day) throw new AppError('DAY_OUT_OF_ORDER', { day: next ?? day })
    if (now().getTime() < startOfDay(nextDay(day))) throw new AppError('DAY_NOT_ENDED', { day })
    if (await days.lacksPrice(dbTx, day)) throw new AppError('PRICE_UNAVAILABLE', { day })
  }

  /** Does one, telling that it is at work. The answer is the code of what stopped it, or null. */
  async function settleOne(rerunId: bigint, day: Day): Promise<string | null> {
    const beat = setInterval(() => {
      repository.beat(db, rerunId, now()).catch((error: unknown) => log.warn({ err: error }, 'no beat'))
    }, BEAT_MS)
    try {
      await requireRunning(db, 'settlement')
      await settlement.settle(day)
      return null
    } catch (error) {
      if (error instanceof AppError) return error.code
      log.error({ err: error, day }, 'a settlement that was asked for failed')
      return 'INTERNAL'
    } finally {
      clearInterval(beat)
    }
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
        if (await repository.insertRerun(dbTx, { day, requestedBy: actor, requestedAt: now() })) {
          await adminLog.record(dbTx, { actor, action: 'settlement.rerun', subject: `settlement/${day}` })
        }
        return last(dbTx)
      })
    },

    /**
     * Does the one that was asked for, if one was; tells whether. Whoever dies in it leaves it to the next, who goes on
     * where the settlement stopped; settling beside the daily worker shares the work.
     */
    async runWaiting(): Promise<boolean> {
      const at = now()
      const taken = await repository.takeRerun(db, at, new Date(at.getTime() - QUIET_MS))
      if (taken === undefined) return false
      const failure = await settleOne(taken.rerunId, taken.day)
      await inDbTx(db, async (dbTx) => {
        if (!(await repository.finishRerun(dbTx, taken.rerunId, failure, now()))) return
        await adminLog.record(dbTx, {
          ...{ actor: 'worker', action: 'settlement.rerun.end', subject: `settlement/${taken.day}` },
          after: { step: failure === null ? 'done' : 'failed', ...(failure !== null && { failure }) },
        })
      })
      return true
    },
  }
}

const view = (row: repository.RerunRow): SettlementRerun => ({
  rerun_id: `${row.rerunId}`,
  day: row.day,
  step: row.step,
  requested_by: row.requestedBy,
  requested_at: row.requestedAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
  failure: row.failure,
})
