import { createHash } from 'node:crypto'
import type { PlanComparison } from '@rif/api-schema'
import { addDays, type Day, type Plan, parsePlan, serialisePlan } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { createJobs, type JobContext, type JobHandler, type StoredJob } from '../../../jobs/jobs.service.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import type { SettlementReplays } from '../settlement.service.ts'
import { type Comparison, type ComparisonResult, comparePlans } from './compare.ts'

export type { Comparison, ComparisonResult } from './compare.ts'

/** Computes a comparison, reports its progress in ppm, and stops when the signal aborts. */
export type RunComparison = (
  comparison: Comparison,
  reportProgress: (progressPpm: number) => void,
  signal: AbortSignal,
) => Promise<ComparisonResult>

const QUIET_MS = 60_000
/** An open page reads the job every two seconds; a hidden tab does not read it. */
const UNWATCHED_MS = 5 * 60_000

interface ComparisonRequest {
  readonly figures: Record<string, unknown>
  readonly from: Day
  readonly to: Day
}
type ComparisonJob = StoredJob<ComparisonRequest, ComparisonResult>

interface Deps {
  readonly db: Db
  readonly now: Now
  readonly log: Logger
  readonly adminLog: AdminLogService
  readonly members: Pick<MembersService, 'addresses'>
  readonly settlementReplays: SettlementReplays
}

export type PlanComparisons = ReturnType<typeof createPlanComparisons>

/**
 * Creates the comparisons of a plan with the plans in force over the real books, one at a time, in the
 * background. Nothing is posted.
 */
export function createPlanComparisons({ db, now, log, adminLog, members, settlementReplays: replays }: Deps) {
  const jobs = createJobs<ComparisonRequest, ComparisonResult>({
    db,
    now,
    log,
    kind: 'comparison',
    quietMs: QUIET_MS,
    unwatchedMs: UNWATCHED_MS,
  })

  async function viewOf(on: Db, job: ComparisonJob | undefined): Promise<{ run: PlanComparison | null }> {
    if (job === undefined) return { run: null }
    return {
      run: {
        run_id: `${job.jobId}`,
        ...job.request,
        step: stepOf(job),
        progress_ppm: job.progressPpm,
        requested_by: job.requestedBy,
        failure: job.failure,
        requested_at: job.requestedAt.toISOString(),
        finished_at: job.finishedAt?.toISOString() ?? null,
        result: job.result === null ? null : await withAddresses(on, job.result),
      },
    }
  }

  async function withAddresses(
    on: Db,
    result: ComparisonResult,
  ): Promise<NonNullable<PlanComparison['result']>> {
    const shown = [...result.gain.largest, ...result.lose.largest].map(({ member_id }) => BigInt(member_id))
    const addresses = await members.addresses(on, shown)
    const side = ({ largest, ...sums }: ComparisonResult['gain']) => ({
      ...sums,
      largest: largest.map((member) => ({ ...member, address: addresses.get(BigInt(member.member_id))! })),
    })
    return { ...result, gain: side(result.gain), lose: side(result.lose) }
  }

  function carryOut(
    run: RunComparison,
    { figures, from, to }: ComparisonRequest,
    { reportProgress, signal }: JobContext,
  ): Promise<ComparisonResult> {
    const parsed = parsePlan(figures)
    if (!parsed.ok) throw new Error(`the plan to compare is invalid: ${parsed.problems.join('; ')}`)
    return run({ plan: parsed.plan, from, to }, (ppm) => void reportProgress(ppm), signal)
  }

  return {
    /** Returns the newest comparison. A running one is cancelled if nobody reads it here. */
    async last(): Promise<{ run: PlanComparison | null }> {
      const job = await jobs.last(db)
      if (job !== undefined && job.finishedAt === null) await jobs.watch()
      return viewOf(db, job)
    },

    /**
     * Requests a comparison over the last settled days, or returns the one that is waiting or running. Throws
     * VALIDATION_FAILED with the problems of the plan, and NOT_FOUND before a day is settled.
     */
    async request(
      actor: string,
      { figures, days }: { figures: unknown; days: number },
    ): Promise<{ run: PlanComparison | null }> {
      const parsed = parsePlan(figures)
      if (!parsed.ok) {
        throw new AppError('VALIDATION_FAILED', { field: 'figures', problem: parsed.problems.join('; ') })
      }
      return inTx(db, async (dbTx) => {
        const settled = await replays.range(dbTx)
        if (settled === undefined) throw new AppError('NOT_FOUND')
        const { first, last: to } = settled
        const wanted = addDays(to, 1 - days)
        const range = { from: [first, wanted].sort()[1]!, to }
        const request = { figures: serialisePlan(parsed.plan), ...range }
        if (await jobs.request(dbTx, { subject: subjectOf(parsed.plan), request, actor })) {
          await adminLog.record(dbTx, {
            actor,
            action: 'plan.compare',
            subject: `plan/${range.from}/${range.to}`,
          })
        }
        return viewOf(dbTx, await jobs.last(dbTx))
      })
    },

    /** Cancels the open comparison. */
    async cancel(): Promise<{ run: PlanComparison | null }> {
      await jobs.cancel()
      return viewOf(db, await jobs.last(db))
    },

    /**
     * Returns the newest comparison of exactly these figures, as shown in a proposal; undefined if there is
     * none.
     */
    async ofPlan(on: Db, plan: Plan): Promise<{ from: Day; to: Day; result: ComparisonResult } | undefined> {
      const job = await jobs.lastDone(on, subjectOf(plan))
      return job && { from: job.request.from, to: job.request.to, result: job.result! }
    },

    /** Returns the handler that runs comparisons in a worker, each by `run`. */
    handler: (run: RunComparison): JobHandler =>
      jobs.handler(async (request, context) => carryOut(run, request, context)),
  }
}

const stepOf = ({ step, progressPpm }: ComparisonJob): PlanComparison['step'] =>
  step === 'running' ? (progressPpm > 0 ? 'working' : 'reading') : step

/** Reads the books and computes a comparison in this process, which is blocked in the meantime. */
export async function compareBooks(
  replays: SettlementReplays,
  db: Db,
  comparison: Comparison,
  reportProgress: (progressPpm: number) => void,
): Promise<ComparisonResult> {
  return comparePlans(replays, await replays.load(db, comparison.to), comparison, reportProgress)
}

/** Returns the subject that identifies a plan's comparison: a digest of the plan's canonical text. */
const subjectOf = (plan: Plan): string =>
  createHash('sha256')
    .update(JSON.stringify(serialisePlan(plan)))
    .digest('hex')
