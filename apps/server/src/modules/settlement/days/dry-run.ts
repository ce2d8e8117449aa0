import type { DryRunResult, SettlementBatch } from '@rif/api-schema'
import {
  type Day,
  formatMicros,
  type Micros,
  mul,
  nextDay,
  type Ppm,
  REWARD_POOL,
  savingsCoverage,
  startOfDay,
} from '@rif/rules'
import { type Db, inSnapshot } from '../../../db/database.ts'
import { AppError } from '../../../lib/errors.ts'
import { total } from '../day/batches.ts'
import { type DayInput, type DayWork, loadDay, workOutDay } from '../day/day.ts'
import type { InterestDues } from '../day/interest.ts'
import { type PlannedBatch, type PoolBalance, payFrom } from '../day/pay.ts'
import * as repository from '../settlement.repository.ts'
import { TYPE_OF_CLASS } from '../steps/posting.service.ts'
import { poolAtEndOf, type SettlementDeps } from '../steps/steps.service.ts'
import { alarmsOfClasses } from './alarms.ts'

type Deps = Pick<SettlementDeps, 'db' | 'now' | 'ledger' | 'plans' | 'pricing'>

/** The books of a dry run, all from one snapshot. */
interface Books {
  readonly input: DayInput
  readonly pools: Readonly<
    Record<'commission_pool' | 'yield_pool' | 'savings_pool' | 'dividend_pool', PoolBalance>
  >
  readonly amcPriceMicros: Micros | null
  readonly at: Date
}

interface Interest {
  readonly dues: InterestDues
  readonly coveragePpm: Ppm
  readonly poolMicros: Micros
}

/**
 * Computes the payments of a day's settlement from the current books, with the code that settles, and posts
 * nothing. Uses one read-only snapshot; `onRead` is called once it is taken. The day must be the next to be
 * settled. Throws DAY_OUT_OF_ORDER during a settlement, because carries are then half written.
 */
export async function dryRun(deps: Deps, day: Day, onRead: () => Promise<void>): Promise<DryRunResult> {
  const books = await inSnapshot(deps.db, (snapshot) => readBooks(deps, snapshot, day))
  await onRead()
  return workOut(day, books)
}

async function readBooks(deps: Deps, snapshot: Db, day: Day): Promise<Books> {
  const progress = await repository.progress(snapshot)
  const next = progress && (progress.lastSettled === null ? progress.firstDay : nextDay(progress.lastSettled))
  if (progress === undefined || progress.openDay !== null || next !== day) {
    throw new AppError('DAY_OUT_OF_ORDER', { day })
  }
  const at = deps.now()
  const plan = await deps.plans.planAt(snapshot, day)
  const input = await loadDay(snapshot, day, plan)
  const until = new Date(Math.min(at.getTime(), startOfDay(nextDay(day)) - 1))
  const price = await deps.pricing.priceAt(snapshot, 'AMC', until)
  return {
    input,
    at,
    amcPriceMicros: price?.priceMicros ?? null,
    pools: {
      commission_pool: await poolAtEndOf(deps, snapshot, 'commission_pool', day),
      yield_pool: await poolAtEndOf(deps, snapshot, 'yield_pool', day),
      savings_pool: await poolAtEndOf(deps, snapshot, 'savings_pool', day),
      dividend_pool: await poolAtEndOf(deps, snapshot, 'dividend_pool', day),
    },
  }
}

function workOut(day: Day, { input, pools, amcPriceMicros, at }: Books): DryRunResult {
  const planned: PlannedBatch[] = []
  const interest: Interest[] = []
  const work = workOutDay(
    input,
    payFrom(pools, amcPriceMicros, input.plan, (batch) => planned.push(batch)),
    (dues) => {
      const poolMicros = pools.savings_pool[dues.asset]
      const coveragePpm = savingsCoverage(poolMicros, total(dues.due))
      interest.push({ dues, coveragePpm, poolMicros })
      return coveragePpm
    },
    { usdtMicros: pools.dividend_pool.USDT, amcMicros: pools.dividend_pool.AMC },
  )
  const batches = [
    ...planned.map(batchView),
    ...interest.map(interestView),
    ...dividendViews(work, pools.dividend_pool),
  ]
  const priceMissing = amcPriceMicros === null && planned.some(({ poolBalance }) => poolBalance.AMC > 0n)
  return {
    day,
    running: at.getTime() < startOfDay(nextDay(day)),
    at: at.toISOString(),
    members: input.members.count,
    amc_price: amcPriceMicros === null ? null : formatMicros(amcPriceMicros),
    released_amc: formatMicros(total(work.released)),
    batches,
    alarms: [...(priceMissing ? (['price_missing'] as const) : []), ...alarmsOfClasses(batches)],
  }
}

function batchView({ batch, terms, poolBalance }: PlannedBatch): SettlementBatch {
  const { dues, payouts } = batch
  return {
    class: batch.class,
    unit: 'USDT',
    due: formatMicros(total(dues.value)),
    paid: formatMicros(total(payouts.paid)),
    coverage_ppm: terms.coveragePpm,
    pool: REWARD_POOL[TYPE_OF_CLASS[batch.class]],
    pool_usdt: formatMicros(poolBalance.USDT),
    pool_amc: formatMicros(poolBalance.AMC),
    count: dues.count,
    usdt_share_ppm: terms.usdtSharePpm,
    amc_share_ppm: terms.amcSharePpm,
    usdt: formatMicros(total(payouts.usdt)),
    amc: formatMicros(total(payouts.amc)),
  }
}

function interestView({ dues, coveragePpm, poolMicros }: Interest): SettlementBatch {
  const isUsdt = dues.asset === 'USDT'
  const paid = formatMicros(total(dues.due.map((dueMicros) => mul(dueMicros, coveragePpm))))
  const zero = formatMicros(0n)
  return {
    class: 'savings',
    unit: dues.asset,
    due: formatMicros(total(dues.due)),
    paid,
    coverage_ppm: coveragePpm,
    pool: 'savings_pool',
    pool_usdt: isUsdt ? formatMicros(poolMicros) : zero,
    pool_amc: isUsdt ? zero : formatMicros(poolMicros),
    count: dues.member.length,
    usdt_share_ppm: null,
    amc_share_ppm: null,
    usdt: isUsdt ? paid : zero,
    amc: isUsdt ? zero : paid,
  }
}

function dividendViews({ dividends }: DayWork, pool: PoolBalance): SettlementBatch[] {
  if (dividends === null) return []
  return sharedDividends({
    holders: dividends.holders,
    poolUsdtMicros: pool.USDT,
    poolAmcMicros: pool.AMC,
    usdtMicros: total(dividends.usdt),
    amcMicros: total(dividends.amc),
  })
}

/** Returns a day's dividends as batches, one for each asset with an amount to share. */
export function sharedDividends(day: {
  readonly holders: number
  readonly poolUsdtMicros: Micros
  readonly poolAmcMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}): SettlementBatch[] {
  const shared = (unit: 'USDT' | 'AMC', poolMicros: Micros, paidMicros: Micros): SettlementBatch[] => {
    if (poolMicros === 0n) return []
    const [pool, paid, zero] = [formatMicros(poolMicros), formatMicros(paidMicros), formatMicros(0n)]
    const isUsdt = unit === 'USDT'
    return [
      {
        class: 'dividend',
        unit,
        due: pool,
        paid,
        coverage_ppm: savingsCoverage(paidMicros, poolMicros),
        pool: 'dividend_pool',
        pool_usdt: isUsdt ? pool : zero,
        pool_amc: isUsdt ? zero : pool,
        count: day.holders,
        usdt_share_ppm: null,
        amc_share_ppm: null,
        usdt: isUsdt ? paid : zero,
        amc: isUsdt ? zero : paid,
      },
    ]
  }
  return [
    ...shared('USDT', day.poolUsdtMicros, day.usdtMicros),
    ...shared('AMC', day.poolAmcMicros, day.amcMicros),
  ]
}
