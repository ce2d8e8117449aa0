import {
  type Day,
  type Micros,
  min,
  mul,
  nextDay,
  type Plan,
  type Ppm,
  REWARD_POOL,
  savingsCoverage,
  startOfDay,
} from '@rif/rules'
import { EVERYBODY, noteChange } from '../../../db/changes.ts'
import { type Db, inTx } from '../../../db/database.ts'
import { closeDay } from '../../../lib/day-barrier.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { PlacementService } from '../../members/placement/placement.service.ts'
import { notifyMany } from '../../messages/notices/notices.service.ts'
import type { WebhookEvents } from '../../messages/webhooks/webhooks.events.service.ts'
import type { PlansService } from '../../prices/plans/plans.service.ts'
import type { PricingService } from '../../prices/pricing/pricing.service.ts'
import { type BatchTerms, CLASSES, payDues, type SettledClass, total } from '../day/batches.ts'
import { type DayWork, loadDay, workOutDay } from '../day/day.ts'
import type { DividendPool } from '../day/dividends.ts'
import type { CoverInterest, InterestDues } from '../day/interest.ts'
import { type PlannedBatch, type PoolBalance, payFrom } from '../day/pay.ts'
import type { DayRow } from '../settlement.repository.ts'
import * as repository from '../settlement.repository.ts'
import { partsOf } from './parts.service.ts'
import {
  batchKey,
  dayKey,
  type PostingDeps,
  SETTLED_POOLS,
  type SettledPool,
  TYPE_OF_CLASS,
} from './posting.service.ts'
import { stageDay } from './staging.repository.ts'

export interface SettlementDeps extends PostingDeps {
  readonly db: Db
  readonly log: Logger
  readonly placement: PlacementService
  readonly plans: PlansService
  readonly pricing: PricingService
  readonly webhookEvents: Pick<WebhookEvents, 'emit'>
  /** The number of members posted in one transaction. */
  readonly rangeMembers?: number
}

/** A range holds the locks of its members, and of the pools, while it is posted. */
const RANGE_MEMBERS = 4_000

/** Fixes a day's batches and reserves their money, unless done before. Returns the computed day. */
export async function fix(deps: SettlementDeps, day: Day, plan: Plan): Promise<DayWork | undefined> {
  const { db, now, ledger, placement, pricing, savingsInterest, dividends } = deps
  // Orders, attestations, savings and exchanges take these locks before they read the clock: after taking
  // them, everything of the day is visible. Sign-ups, prices, pauses and caps enter the day, which is closed
  // below.
  await inTx(db, async (dbTx) => {
    await placement.lockVolumes(dbTx)
    await ledger.lock(dbTx, { pools: SETTLED_POOLS, memberIds: [] })
  })
  await inTx(db, savingsInterest.awaitTransfers)
  await inTx(db, dividends.awaitExchanges)
  return inTx(db, async (dbTx) => {
    await repository.lock(dbTx)
    if ((await repository.findDay(dbTx, day)) !== undefined) return undefined
    await closeDay(dbTx, day)
    const input = await loadDay(dbTx, day, plan)
    const price = await pricing.priceAt(dbTx, 'AMC', new Date(startOfDay(nextDay(day)) - 1))
    const row = { day, amcPriceMicros: price?.priceMicros ?? null, fixedAt: now() }
    // Before the day, as postings lock them.
    await ledger.lock(dbTx, { pools: SETTLED_POOLS, memberIds: [] })
    await repository.insertDay(dbTx, row)
    const pools = {
      commission_pool: await poolAtEndOf(deps, dbTx, 'commission_pool', day),
      yield_pool: await poolAtEndOf(deps, dbTx, 'yield_pool', day),
    }
    const write: (() => Promise<void>)[] = []
    const payBatch = payFrom(pools, row.amcPriceMicros, plan, (planned) => {
      requirePrice(deps, row, planned.batch.class, planned.poolBalance)
      write.push(() => writeBatch(deps, dbTx, row, planned))
    })
    const savingsPool = await poolAtEndOf(deps, dbTx, 'savings_pool', day)
    const coverInterest: CoverInterest = (dues) => {
      const dueMicros = total(dues.due)
      const coveragePpm = savingsCoverage(savingsPool[dues.asset], dueMicros)
      write.push(() =>
        writeInterest(deps, dbTx, row, { dues, coveragePpm, poolMicros: savingsPool[dues.asset] }),
      )
      return coveragePpm
    }
    const poolBalance = await poolAtEndOf(deps, dbTx, 'dividend_pool', day)
    const dividendPool = { usdtMicros: poolBalance.USDT, amcMicros: poolBalance.AMC }
    const work = workOutDay(input, payBatch, coverInterest, dividendPool)
    for (const step of write) await step()
    await writeDividends(deps, dbTx, row, { dividendPool, work })
    return work
  })
}

/** Stores each member's part of a fixed day, unless done before. Recomputes it if `work` is absent. */
export async function stage(
  deps: SettlementDeps,
  day: Day,
  plan: Plan,
  work: DayWork | undefined,
): Promise<DayRow> {
  return inTx(deps.db, async (dbTx) => {
    await repository.lock(dbTx)
    const row = (await repository.findDay(dbTx, day))!
    if (row.state !== 'fixed') return row
    const whole = work ?? (await workOutAgain(deps, dbTx, row, plan))
    const rangeOf = await stageDay(dbTx, day, whole, deps.rangeMembers ?? RANGE_MEMBERS)
    await deps.ledger.pools.divideReserve(dbTx, dayKey(day), day, partsOf(whole, rangeOf))
    await repository.markStaged(dbTx, day)
    return row
  })
}

/** Closes a fully posted day, unless done before. */
export async function finishDay(
  { db, now, ledger, bulkRewards, webhookEvents }: SettlementDeps,
  day: Day,
): Promise<void> {
  await inTx(db, async (dbTx) => {
    await repository.lock(dbTx)
    if ((await repository.findDay(dbTx, day))!.state === 'settled') return
    await ledger.pools.closeParts(dbTx, dayKey(day))
    for (const rewardClass of CLASSES) {
      const batch = await bulkRewards.find(dbTx, batchKey(day, rewardClass))
      if (batch !== undefined) await bulkRewards.close(dbTx, batch)
    }
    const at = now()
    await repository.markSettled(dbTx, day, at)
    noteChange(dbTx, EVERYBODY, 'settlement')
    await notifyMany(dbTx, { event: `rewards/${day}`, topic: 'rewards_paid', facts: { day }, at })
    await webhookEvents.emit(dbTx, 'settlement.completed', { day })
  })
}

/** Returns the computation of a fixed day, on its fixed terms. */
async function workOutAgain(
  { bulkRewards, savingsInterest, dividends }: SettlementDeps,
  dbTx: Db,
  row: DayRow,
  plan: Plan,
): Promise<DayWork> {
  const terms = new Map<SettledClass, BatchTerms>()
  for (const rewardClass of CLASSES) {
    const batch = await bulkRewards.find(dbTx, batchKey(row.day, rewardClass))
    if (batch === undefined) continue
    terms.set(rewardClass, {
      coveragePpm: batch.coverage_ppm,
      usdtSharePpm: batch.usdt_share_ppm,
      amcSharePpm: batch.amc_share_ppm,
      amcPriceMicros: batch.amc_price_micros,
    })
  }
  const covered = await savingsInterest.fixed(dbTx, row.day)
  const shared = await dividends.find(dbTx, row.day)
  return workOutDay(
    await loadDay(dbTx, row.day, plan),
    (rewardClass, dues) => ({
      class: rewardClass,
      dues,
      payouts: payDues(dues, terms.get(rewardClass)!),
    }),
    ({ asset }) => covered.find((batch) => batch.asset === asset)!.coveragePpm,
    { usdtMicros: shared?.poolUsdtMicros ?? 0n, amcMicros: shared?.poolAmcMicros ?? 0n },
  )
}

/**
 * Returns the balance of a pool at the end of a day, at most its present one. The present one is lower only
 * if orders of a later day took more of one asset than they brought, which only a plan allows whose rewards
 * and payments are split differently.
 */
export async function poolAtEndOf(
  { ledger }: Pick<SettlementDeps, 'ledger'>,
  dbTx: Db,
  account: SettledPool,
  day: Day,
): Promise<PoolBalance> {
  const then = await ledger.pools.balances(dbTx, account, day)
  const free = await ledger.pools.balances(dbTx, account)
  return { USDT: min(then.USDT, free.USDT), AMC: min(then.AMC, free.AMC) }
}

/** AMC of a pool cannot be valued before a price was published. Throws PRICE_UNAVAILABLE. */
function requirePrice(
  { log }: SettlementDeps,
  { day, amcPriceMicros }: Omit<DayRow, 'state'>,
  rewardClass: SettledClass,
  poolBalance: PoolBalance,
): void {
  if (amcPriceMicros !== null || poolBalance.AMC === 0n) return
  log.error(
    { day, class: rewardClass },
    'settlement stopped: the pool holds AMC, and no AMC price was ever published',
  )
  throw new AppError('PRICE_UNAVAILABLE', { day })
}

async function writeBatch(
  { ledger, bulkRewards }: SettlementDeps,
  dbTx: Db,
  { day, amcPriceMicros, fixedAt }: Omit<DayRow, 'state'>,
  { batch, terms, poolBalance }: PlannedBatch,
): Promise<void> {
  const type = TYPE_OF_CLASS[batch.class]
  await bulkRewards.fix(dbTx, type, {
    batch: batchKey(day, batch.class),
    class: batch.class,
    day,
    amc_price_micros: amcPriceMicros,
    pool_usdt_micros: poolBalance.USDT,
    pool_amc_micros: poolBalance.AMC,
    value_micros: total(batch.dues.value),
    paid_micros: total(batch.payouts.paid),
    reward_count: batch.dues.count,
    coverage_ppm: terms.coveragePpm,
    usdt_share_ppm: terms.usdtSharePpm,
    amc_share_ppm: terms.amcSharePpm,
    paid_at: fixedAt,
  })
  const { usdt, amc } = batch.payouts
  await ledger.pools.reserve(dbTx, REWARD_POOL[type], { USDT: total(usdt), AMC: total(amc) })
}

async function writeInterest(
  { ledger, savingsInterest }: SettlementDeps,
  dbTx: Db,
  { day, fixedAt }: Omit<DayRow, 'state'>,
  { dues, coveragePpm, poolMicros }: { dues: InterestDues; coveragePpm: Ppm; poolMicros: Micros },
): Promise<void> {
  const { asset, ratePpm } = dues
  const paidMicros = total(dues.due.map((dueMicros) => mul(dueMicros, coveragePpm)))
  await savingsInterest.fix(dbTx, {
    day,
    asset,
    ratePpm,
    poolMicros,
    paidMicros,
    coveragePpm,
    fixedAt,
    dueMicros: total(dues.due),
    accountCount: dues.member.length,
  })
  await ledger.pools.reserve(dbTx, 'savings_pool', { USDT: 0n, AMC: 0n, [asset]: paidMicros })
}

async function writeDividends(
  { ledger, dividends }: SettlementDeps,
  dbTx: Db,
  { day, fixedAt }: Omit<DayRow, 'state'>,
  { dividendPool, work }: { dividendPool: DividendPool; work: DayWork },
): Promise<void> {
  if (work.dividends === null) return
  const { usdt, amc, allDivMicros, holders } = work.dividends
  const paid = { USDT: total(usdt), AMC: total(amc) }
  await dividends.fix(dbTx, {
    day,
    holders,
    fixedAt,
    divMicros: allDivMicros,
    poolUsdtMicros: dividendPool.usdtMicros,
    poolAmcMicros: dividendPool.amcMicros,
    usdtMicros: paid.USDT,
    amcMicros: paid.AMC,
  })
  await ledger.pools.reserve(dbTx, 'dividend_pool', paid)
}
