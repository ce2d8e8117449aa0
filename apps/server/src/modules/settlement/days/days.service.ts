import type {
  DryRun,
  DryRunResult,
  SettlementBatch,
  SettlementDay,
  SettlementDayDetail,
} from '@rif/api-schema'
import { addDays, type Day, dayOf, formatMicros, type Micros, nextDay, startOfDay } from '@rif/rules'
import { type Db, inTx } from '../../../db/database.ts'
import { createJobs, type StoredJob } from '../../../jobs/jobs.service.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Flow } from '../../books/ledger/ledger.service.ts'
import type { AdminLogService } from '../../operators/admin-log/admin-log.service.ts'
import * as books from '../settlement.repository.ts'
import type { SettlementDeps } from '../steps/steps.service.ts'
import { alarmsOfClasses, alarmsOfProgress } from './alarms.ts'
import type { FixedBatch, StoredDay } from './days.repository.ts'
import * as repository from './days.repository.ts'
import { dryRun, sharedDividends } from './dry-run.ts'

/** A dry run blocks its worker for long, so that it cannot report. */
const QUIET_MS = 5 * 60_000
const DAY_MS = 86_400_000
const PAID_KINDS = ['release', 'commission', 'pairing', 'management', 'static', 'savings_interest'] as const

/** The progress of a dry run once the books are read, in ppm. */
const READ_PPM = 500_000

interface DryRunRequest {
  readonly day: Day
}

type Deps = Pick<SettlementDeps, 'db' | 'now' | 'log' | 'ledger' | 'plans' | 'pricing'> & {
  readonly adminLog: AdminLogService
}

export type SettlementDaysService = ReturnType<typeof createSettlementDays>

/**
 * Creates the admins' view of days: settled, due or running, each with its batches; and dry runs of the next
 * one.
 */
export function createSettlementDays(deps: Deps) {
  const { db, now, log, ledger, pricing, adminLog } = deps
  const runs = createJobs<DryRunRequest, DryRunResult>({
    db,
    now,
    log,
    kind: 'dry_run',
    quietMs: QUIET_MS,
  })

  /** Returns the days of a range, newest first, begun or not. */
  async function span(db: Db, from: Day, to: Day): Promise<SettlementDayDetail[]> {
    const [stored, fixed, shared, flows] = await Promise.all([
      repository.days(db, from, to),
      repository.batches(db, from, to),
      repository.dividendDays(db, from, to),
      ledger.flows.list(db, { from, to }, PAID_KINDS),
    ])
    const at = now()
    const days: SettlementDayDetail[] = []
    for (let day = to; day >= from; day = addDays(day, -1)) {
      const row = stored.find((candidate) => candidate.day === day)
      const posted = flows.filter((flow) => flow.day === day)
      const batches = [
        ...fixed.filter((batch) => batch.day === day).map((batch) => batchView(batch, posted)),
        ...shared.filter((item) => item.day === day).flatMap(sharedDividends),
      ]
      days.push({
        ...dayView(day, row, batches, at),
        released_amc: formatMicros(sumOf(posted, 'release', 'AMC')),
        batches,
        ranges: row?.ranges ?? 0,
        ranges_posted: row?.rangesPosted ?? 0,
      })
    }
    return days
  }

  /** Reports whether a pool holds AMC without a price at the end of a day, which then cannot be settled. */
  async function lacksPrice(db: Db, day: Day): Promise<boolean> {
    const price = await pricing.priceAt(db, 'AMC', new Date(startOfDay(nextDay(day)) - 1))
    if (price !== null && price !== undefined) return false
    const pools = await Promise.all(
      (['commission_pool', 'yield_pool'] as const).map((pool) => ledger.pools.balances(db, pool, day)),
    )
    return pools.some(({ AMC }) => AMC > 0n)
  }

  async function progress(db: Db) {
    const row = await books.progress(db)
    if (row === undefined) return undefined
    return { ...row, next: row.lastSettled === null ? row.firstDay : nextDay(row.lastSettled) }
  }

  async function lastRun(db: Db): Promise<{ run: DryRun | null }> {
    const run = await runs.last(db)
    return { run: run === undefined ? null : runView(run) }
  }

  return {
    /** Returns a page of days, the running one first. */
    async list(
      db: Db,
      query: {
        to?: Day | undefined
        only?: 'alarms' | undefined
        cursor?: string | undefined
        limit: number
      },
    ): Promise<{ items: SettlementDay[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const dayProgress = await progress(db)
      if (dayProgress === undefined) return { items: [], next: null }
      const today = dayOf(now().getTime())
      const last = query.to === undefined || query.to > today ? today : query.to
      const to = before === undefined ? last : addDays(dayOf(Number(before) * DAY_MS), -1)
      if (to < dayProgress.firstDay) return { items: [], next: null }
      const first = addDays(to, 1 - query.limit)
      const isLast = first <= dayProgress.firstDay
      const from = isLast ? dayProgress.firstDay : first
      const days = await span(db, from, to)
      const items = await Promise.all(
        days.map(async ({ batches: _, ranges: __, ranges_posted: ___, ...day }): Promise<SettlementDay> => {
          const isNext = day.day === dayProgress.next && day.state === 'due'
          return isNext && (await lacksPrice(db, day.day))
            ? { ...day, alarms: [...day.alarms, 'price_missing'] }
            : day
        }),
      )
      const shown = query.only === 'alarms' ? items.filter(({ alarms }) => alarms.length > 0) : items
      return { items: shown, next: isLast ? null : encodeCursor(startOfDay(from) / DAY_MS) }
    },

    /** Returns a day with its batches. Throws NOT_FOUND for one before the first or after today. */
    async day(db: Db, day: Day): Promise<SettlementDayDetail> {
      const dayProgress = await progress(db)
      if (dayProgress === undefined || day < dayProgress.firstDay || day > dayOf(now().getTime())) {
        throw new AppError('NOT_FOUND')
      }
      const [row] = await span(db, day, day)
      const lacks = day === dayProgress.next && row!.state === 'due' && (await lacksPrice(db, day))
      return lacks ? { ...row!, alarms: [...row!.alarms, 'price_missing'] } : row!
    },

    lastRun,
    lacksPrice,

    /**
     * Requests a dry run of the next settlement, or returns the waiting or running one. Throws
     * DAY_OUT_OF_ORDER during a settlement.
     */
    async requestRun(actor: string): Promise<{ run: DryRun | null }> {
      return inTx(db, async (dbTx) => {
        const dayProgress = await progress(dbTx)
        if (dayProgress === undefined) throw new AppError('NOT_FOUND')
        if (dayProgress.openDay !== null) throw new AppError('DAY_OUT_OF_ORDER', { day: dayProgress.openDay })
        const subject = `settlement/${dayProgress.next}`
        if (await runs.request(dbTx, { subject, request: { day: dayProgress.next }, actor })) {
          await adminLog.record(dbTx, { actor, action: 'settlement.dry-run', subject })
        }
        return lastRun(dbTx)
      })
    },

    /** Runs dry runs in a worker. */
    dryRuns: runs.handler(({ day }, { reportProgress }) => dryRun(deps, day, () => reportProgress(READ_PPM))),
  }
}

function dayView(
  day: Day,
  row: StoredDay | undefined,
  classes: readonly SettlementBatch[],
  at: Date,
): Omit<SettlementDay, 'released_amc'> {
  const hasEnded = at.getTime() >= startOfDay(nextDay(day))
  const state = row?.state ?? (hasEnded ? 'due' : 'open')
  return {
    day,
    state,
    amc_price: row?.amcPriceMicros == null ? null : formatMicros(row.amcPriceMicros),
    fixed_at: row?.fixedAt.toISOString() ?? null,
    settled_at: row?.settledAt?.toISOString() ?? null,
    classes: classes.map(({ class: name, unit, due, paid, coverage_ppm }) => ({
      class: name,
      unit,
      due,
      paid,
      coverage_ppm,
    })),
    alarms: [...alarmsOfProgress(day, state, row?.fixedAt ?? null, at), ...alarmsOfClasses(classes)],
  }
}

function sumOf(flows: readonly Flow[], kind: Flow['kind'], asset: Flow['asset']): Micros {
  const of = flows.filter((flow) => flow.kind === kind && flow.asset === asset)
  return of.reduce((sum, flow) => sum + flow.micros, 0n)
}

/** Returns a fixed batch, with the amounts posted so far. */
function batchView(batch: FixedBatch, posted: readonly Flow[]): SettlementBatch {
  const kind = batch.class === 'savings' ? 'savings_interest' : batch.class
  const postedOf = (asset: 'USDT' | 'AMC') =>
    formatMicros(batch.class === 'savings' && asset !== batch.unit ? 0n : sumOf(posted, kind, asset))
  return {
    class: batch.class,
    unit: batch.unit,
    due: formatMicros(batch.dueMicros),
    paid: formatMicros(batch.paidMicros),
    coverage_ppm: batch.coveragePpm,
    pool: batch.pool,
    pool_usdt: formatMicros(batch.poolUsdtMicros),
    pool_amc: formatMicros(batch.poolAmcMicros),
    count: batch.count,
    usdt_share_ppm: batch.usdtSharePpm,
    amc_share_ppm: batch.amcSharePpm,
    usdt: postedOf('USDT'),
    amc: postedOf('AMC'),
  }
}

const runView = (run: StoredJob<DryRunRequest, DryRunResult>): DryRun => ({
  run_id: `${run.jobId}`,
  day: run.request.day,
  step: stepOf(run),
  requested_by: run.requestedBy,
  requested_at: run.requestedAt.toISOString(),
  finished_at: run.finishedAt?.toISOString() ?? null,
  failure: run.failure,
  result: run.result,
})

/** A dry run cannot be cancelled. */
function stepOf({ step, progressPpm }: StoredJob<DryRunRequest, DryRunResult>): DryRun['step'] {
  if (step === 'cancelled') return 'failed'
  return step === 'running' ? (progressPpm > 0 ? 'working' : 'reading') : step
}
