import type { PlanComparison } from '@rif/api-schema'
import { addDays, type Day, type Plan, parsePlan, serialisePlan } from '@rif/rules'
import { type Db, inDbTx } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AdminLogService } from '../admin/admin-log.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { SettlementReplays } from '../settlement/settlement.replays.service.ts'
import type { ComparisonRow } from './plans.comparison.repository.ts'
import * as repository from './plans.comparison.repository.ts'
import { type Comparison, type ComparisonResult, comparePlans } from './plans.comparison.ts'

export type { Comparison, ComparisonResult } from './plans.comparison.ts'

/** Works a comparison out, tells how far it is, and stops when the signal says so. */
export type RunComparison = (
  comparison: Comparison,
  told: (progressPpm: number) => void,
  signal: AbortSignal,
) => Promise<ComparisonResult>

/** Whoever runs a comparison throws this when it must stop itself: the next worker does it anew. */
export const INTERRUPTED = new Error('interrupted')

/** A comparison whose worker has said nothing for this long is taken again. */
const QUIET_MS = 60_000
/** A page that is open asks every two seconds, one behind another tab not at all. */
const UNWATCHED_MS = 5 * 60_000
const WATCH_EVERY_MS = 10_000
const BEAT_MS = 1_000

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly adminLog: AdminLogService
  readonly members: Pick<MembersService, 'addresses'>
  readonly replays: SettlementReplays
}

export type PlanComparisons = ReturnType<typeof createPlanComparisons>

/** Comparisons of a plan with those in force over the real books, one at a time, in the background; nothing is posted. */
export function createPlanComparisons({ db, now, log, adminLog, members, replays }: Deps) {
  async function viewOf(row: ComparisonRow | undefined): Promise<{ run: PlanComparison | null }> {
    if (row === undefined) return { run: null }
    return {
      run: {
        ...{ run_id: `${row.runId}`, figures: row.figures, from: row.from, to: row.to, step: row.step },
        ...{ progress_ppm: row.progressPpm, requested_by: row.requestedBy, failure: row.failure },
        requested_at: row.requestedAt.toISOString(),
        finished_at: row.finishedAt?.toISOString() ?? null,
        result: row.result === null ? null : await withAddresses(row.result as ComparisonResult),
      },
    }
  }

  async function withAddresses(result: ComparisonResult): Promise<NonNullable<PlanComparison['result']>> {
    const shown = [...result.gain.largest, ...result.lose.largest].map(({ member_id }) => BigInt(member_id))
    const addresses = await members.addresses(db, shown)
    const side = ({ largest, ...sums }: ComparisonResult['gain']) => ({
      ...sums,
      largest: largest.map((member) => ({ ...member, address: addresses.get(BigInt(member.member_id))! })),
    })
    return { ...result, gain: side(result.gain), lose: side(result.lose) }
  }

  /** Runs one that was taken; gives it up when it was ended, or when nobody watches it any more. */
  async function carryOut(row: ComparisonRow, run: RunComparison): Promise<void> {
    const parsed = parsePlan(row.figures)
    if (!parsed.ok) throw new Error(`comparison ${row.runId} has an unusable plan`)
    const abandoned = new AbortController()
    let progressPpm = 0
    const beat = async () => {
      const at = now()
      const watchedSince = new Date(at.getTime() - UNWATCHED_MS)
      if (!(await repository.beat(db, row.runId, { progressPpm, at, watchedSince }))) abandoned.abort()
    }
    const beats = setInterval(
      () => void beat().catch((error: unknown) => log.warn({ err: error }, 'a beat failed')),
      BEAT_MS,
    )
    try {
      const told = (ppm: number) => {
        progressPpm = ppm
      }
      const comparison = { plan: parsed.plan, from: row.from, to: row.to }
      const result = await run(comparison, told, abandoned.signal)
      await repository.finishRun(db, row.runId, { result }, now())
    } catch (error) {
      if (error === INTERRUPTED) return
      if (abandoned.signal.aborted) return repository.finishRun(db, row.runId, 'cancelled', now())
      log.error({ err: error }, 'a comparison of plans failed')
      const failure = error instanceof AppError ? error.code : 'INTERNAL'
      await repository.finishRun(db, row.runId, { failure }, now())
    } finally {
      clearInterval(beats)
    }
  }

  return {
    /** The last comparison. Asking for it is watching it: a running one that nobody asks for is given up. */
    async last(): Promise<{ run: PlanComparison | null }> {
      const row = await repository.lastRun(db)
      if (row !== undefined && row.finishedAt === null) {
        const at = now()
        await repository.watch(db, at, new Date(at.getTime() - WATCH_EVERY_MS))
      }
      return viewOf(row)
    },

    /**
     * Asks for a comparison over the last settled days; one that waits or runs already is the answer then. Throws
     * VALIDATION_FAILED with what is wrong with the plan, and NOT_FOUND before a day was settled.
     */
    async request(
      actor: string,
      { figures, days }: { figures: unknown; days: number },
    ): Promise<{ run: PlanComparison | null }> {
      const parsed = parsePlan(figures)
      if (!parsed.ok) {
        throw new AppError('VALIDATION_FAILED', { field: 'figures', problem: parsed.problems.join('; ') })
      }
      return inDbTx(db, async (dbTx) => {
        const settled = await replays.range(dbTx)
        if (settled === undefined) throw new AppError('NOT_FOUND')
        const { first, last: to } = settled
        const wanted = addDays(to, 1 - days)
        const range = { from: [first, wanted].sort()[1]!, to }
        const text = textOf(parsed.plan)
        const isNew = await repository.insertRun(dbTx, {
          figures: text,
          ...range,
          requestedBy: actor,
          at: now(),
        })
        if (isNew) {
          await adminLog.record(dbTx, {
            actor,
            action: 'plan.compare',
            subject: `plan/${range.from}/${range.to}`,
          })
        }
        return viewOf(await repository.lastRun(dbTx))
      })
    },

    /** Gives the open comparison up. */
    async cancel(): Promise<{ run: PlanComparison | null }> {
      const open = await repository.lastRun(db)
      if (open !== undefined) await repository.finishRun(db, open.runId, 'cancelled', now())
      return viewOf(await repository.lastRun(db))
    },

    /** The last comparison of exactly these figures, as far as a proposal tells of it; undefined when there is none. */
    async ofPlan(on: Db, plan: Plan): Promise<{ from: Day; to: Day; result: ComparisonResult } | undefined> {
      const row = await repository.lastOf(on, textOf(plan))
      return row && { from: row.from, to: row.to, result: row.result as ComparisonResult }
    },

    /** Does the comparison that was asked for, if one was; tells whether. Whoever dies in it leaves it to the next. */
    async runWaiting(run: RunComparison): Promise<boolean> {
      const at = now()
      const row = await repository.takeRun(db, at, new Date(at.getTime() - QUIET_MS))
      if (row === undefined) return false
      await carryOut(row, run)
      return true
    },
  }
}

/** Reads the books and works a comparison out in this process, which does nothing else meanwhile. */
export async function compareBooks(
  replays: SettlementReplays,
  db: Db,
  comparison: Comparison,
  told: (progressPpm: number) => void,
): Promise<ComparisonResult> {
  return comparePlans(replays, await replays.load(db, comparison.to), comparison, told)
}

/** The one text of a plan, by which its comparison is found again. */
const textOf = (plan: Plan): string => JSON.stringify(serialisePlan(plan))
