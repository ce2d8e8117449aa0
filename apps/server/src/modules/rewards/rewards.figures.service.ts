import type {
  Attestation,
  ProfitCoverage,
  ProfitType,
  RewardDay,
  RewardDetail,
  RewardSource,
} from '@rif/api-schema'
import {
  addDays,
  type Day,
  dayOf,
  daysBetween,
  floorDiv,
  formatMicros,
  MICRO,
  type Micros,
  type Plan,
  serialisePlan,
  termsOfLevel,
} from '@rif/rules'
import type { Db } from '../../db/database.ts'
import type { Now } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { AppError } from '../../lib/errors.ts'
import type { MembersService } from '../members/members.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import type {
  AttestedRevenue,
  Attestation as AttestedRow,
} from './attested-revenue/attested-revenue.service.ts'
import type { DayCapsService } from './rewards.day-caps.service.ts'
import * as figures from './rewards.figures.repository.ts'
import type { PaidSum, RewardClass, RewardRow } from './rewards.repository.ts'
import { incomeSums, incomeSumsView, rewardView, sumOf } from './view.ts'

interface Deps {
  readonly now: Now
  readonly members: Pick<MembersService, 'addresses'> & {
    readonly labels: Pick<MembersService['labels'], 'named'>
  }
  readonly plans: Pick<PlansService, 'versionAt'>
  readonly dayCaps: Pick<DayCapsService, 'capAt'>
  readonly attestedRevenue: Pick<AttestedRevenue, 'approved'>
}

export type RewardFigures = ReturnType<typeof createRewardFigures>

const RANGE_DAYS = 30
const SHOWN_ATTESTATIONS = 50
/** On the detail page of a reward: the latest payments into the pool. */
const LAST_ATTESTATIONS = 3

/** Creates the reward figures of the screens: sums by type and day, coverage, and the origin of a reward. */
export function createRewardFigures({ now, members, plans, dayCaps, attestedRevenue }: Deps) {
  const today = () => dayOf(now().getTime())
  const lastDays = () => ({ from: addDays(today(), 1 - RANGE_DAYS), to: today() })

  return {
    /** Returns sums and counts of a member's rewards by type over accounting days, by default the last 30. */
    async byType(
      db: Db,
      memberId: bigint,
      range: { from?: Day | undefined; to?: Day | undefined },
    ): Promise<ProfitType> {
      const { from = lastDays().from, to = today() } = range
      const sums = await figures.typeSums(db, memberId, from, to)
      const items = sums.map((sum) => ({
        type: sum.type,
        count: sum.count,
        value: formatMicros(sum.valueMicros),
        ...paidView(sum),
      }))
      return { from, to, items, sums: incomeSumsView(incomeSums(sums)) }
    },

    /** Returns a member's static rewards by package and month, and the last one of each package. */
    async ofPackages(db: Db, memberId: bigint) {
      const [months, last] = await Promise.all([
        figures.staticByPackage(db, memberId, lastDays().from),
        figures.lastStatic(db, memberId),
      ])
      return { months, last: new Map(last.map((row) => [row.orderId, row])) }
    },

    /** Returns the records that a transaction paid to a member. */
    ofTransaction: figures.rewardsOfBatch,

    /**
     * Returns the amounts due and paid to a member from another member's orders; zero for an unrelated
     * member.
     */
    async from(db: Db, memberId: bigint, sourceId: bigint): Promise<RewardSource> {
      const rows = await figures.sumsFrom(db, memberId, sourceId)
      const sums = rows.map(({ dueMicros, ...row }) => ({ ...row, valueMicros: dueMicros }))
      return {
        value: formatMicros(sumOf(sums, 'valueMicros')),
        paid: formatMicros(sumOf(sums, 'paidMicros')),
        types: sums.map(({ type, count, valueMicros, paidMicros }) => ({
          type,
          count,
          value: formatMicros(valueMicros),
          paid: formatMicros(paidMicros),
        })),
      }
    },

    /** Returns a page of the days on which a member was paid rewards, newest first. */
    async byDay(
      db: Db,
      memberId: bigint,
      query: { cursor?: string | undefined; limit: number },
    ): Promise<{ items: RewardDay[]; next: string | null }> {
      const [before] = decodeCursor(query.cursor, 1) ?? []
      const rows = await figures.daySums(
        db,
        memberId,
        before === undefined ? undefined : dayOfNumber(before),
        query.limit + 1,
      )
      const days = [...new Set(rows.map((row) => row.day))]
      const shown = days.slice(0, query.limit)
      const items = shown.map((day) =>
        dayView(
          day,
          rows.filter((row) => row.day === day),
          today(),
        ),
      )
      const last = shown.at(-1)
      return {
        items,
        next: days.length > query.limit && last !== undefined ? encodeCursor(numberOfDay(last)) : null,
      }
    },

    /** Returns the due and paid amounts of all members by class, and the attested revenue, of the last 30 days. */
    async coverage(db: Db): Promise<ProfitCoverage> {
      const range = lastDays()
      const [rows, attested] = await Promise.all([
        figures.coverageDays(db, range.from, range.to),
        attestedRevenue.approved(db, { ...range, limit: SHOWN_ATTESTATIONS }),
      ])
      const days = rows.map((row) => ({
        day: row.day,
        class: row.class,
        value: formatMicros(row.valueMicros),
        paid: formatMicros(row.paidMicros),
      }))
      return { ...range, days, totals: coverageTotals(rows), attestations: attested.map(attestationView) }
    },

    /**
     * Returns a reward of a member with all its inputs. Throws REWARD_NOT_FOUND, also for others' rewards.
     */
    async detail(db: Db, memberId: bigint, rewardId: bigint): Promise<RewardDetail> {
      const row = await figures.findReward(db, memberId, rewardId)
      if (row === undefined) throw new AppError('REWARD_NOT_FOUND')
      const version = await plans.versionAt(db, row.day)
      const source = row.source_member_id === null ? [] : [row.source_member_id]
      const [batch, coveredPpm, paidBefore, ownDayCap, addresses, labels, ofOrder] = await Promise.all([
        figures.rewardBatchOf(db, row.batch),
        coveredOf(db, row, version.plan),
        paidBeforeOf(db, row),
        row.type === 'PairingReward' ? dayCaps.capAt(db, memberId, row.day) : null,
        members.addresses(db, source),
        members.labels.named(db, memberId, source),
        source.length === 0 ? [] : figures.rewardsOfBatch(db, memberId, row.batch),
      ])
      const attested =
        batch.pool === 'yield_pool'
          ? await attestedRevenue.approved(db, { pool: batch.pool, to: row.day, limit: LAST_ATTESTATIONS })
          : []
      return {
        ...rewardView(row, addresses),
        paid: formatMicros(row.paid_micros),
        source_label: source.length === 0 ? null : (labels.get(source[0]!) ?? null),
        of_order: ofOrder.map((own) => ({
          reward_id: `${own.reward_id}`,
          type: own.type,
          ratio_ppm: own.ratio_ppm,
          value: formatMicros(own.value_micros),
          paid: formatMicros(own.paid_micros),
        })),
        usdt_share_ppm: row.usdt_share_ppm,
        amc_share_ppm: row.amc_share_ppm,
        release_parts: row.release_parts,
        plan: {
          version: `${version.version}`,
          effective_day: version.effectiveDay,
          figures: serialisePlan(version.plan),
        },
        covered_ppm: coveredPpm,
        package_paid_before: paidBefore === null ? null : formatMicros(paidBefore),
        own_day_cap: ownDayCap === null ? null : formatMicros(ownDayCap),
        batch: {
          class: batch.class,
          pool: batch.pool,
          pool_usdt: formatMicros(batch.pool_usdt_micros),
          pool_amc: formatMicros(batch.pool_amc_micros),
          amc_price: batch.amc_price_micros === null ? null : formatMicros(batch.amc_price_micros),
          value: formatMicros(batch.value_micros),
          paid: formatMicros(batch.paid_micros),
          count: batch.reward_count,
          paid_at: batch.paid_at.toISOString(),
        },
        attestations: attested.map(attestationView),
      }
    },
  }
}

/**
 * Each member on the way up has a higher rate than the previous ones, which need not be a higher level.
 * Rules, section 5.2.
 */
async function coveredOf(db: Db, row: RewardRow, plan: Plan): Promise<number | null> {
  if (row.type !== 'TeamReward' || row.order_id === null) return null
  const own = termsOfLevel(plan, row.level)?.organisationPpm ?? 0
  const lower = plan.packages.filter((terms) => terms.organisationPpm < own).map((terms) => terms.level)
  return figures.coveredBy(db, row.order_id, lower)
}

async function paidBeforeOf(db: Db, row: RewardRow): Promise<Micros | null> {
  if (row.type !== 'Interest' || row.order_id === null) return null
  return figures.paidOnPackageBefore(db, row.member_id, row.order_id, row.day)
}

function attestationView({ amountMicros, attestationId, ...row }: AttestedRow): Attestation {
  return {
    attestation_id: `${attestationId}`,
    pool: row.pool,
    asset: row.asset,
    amount: formatMicros(amountMicros),
    source: row.source,
    document_hash: row.documentHash,
    tx_hash: row.txHash,
    day: row.day,
  }
}

function dayView(day: Day, sums: readonly PaidSum[], today: Day): RewardDay {
  const age = daysBetween(day, today)
  return {
    day,
    group: age <= 0 ? 1 : age === 1 ? 2 : 3,
    ...paidView({
      paidMicros: sumOf(sums, 'paidMicros'),
      usdtMicros: sumOf(sums, 'usdtMicros'),
      amcMicros: sumOf(sums, 'amcMicros'),
    }),
    sums: incomeSumsView(incomeSums(sums)),
    types: sums.map((sum) => ({ type: sum.type, ...paidView(sum) })),
  }
}

function paidView(sum: Omit<PaidSum, 'type'>) {
  return {
    paid: formatMicros(sum.paidMicros),
    usdt: formatMicros(sum.usdtMicros),
    amc: formatMicros(sum.amcMicros),
  }
}

function coverageTotals(
  rows: readonly { class: RewardClass; valueMicros: Micros; paidMicros: Micros }[],
): ProfitCoverage['totals'] {
  const classes = [...new Set(rows.map((row) => row.class))]
  return classes.map((name) => {
    const ofClass = rows.filter((row) => row.class === name)
    const valueMicros = sumOf(ofClass, 'valueMicros')
    const paidMicros = sumOf(ofClass, 'paidMicros')
    return {
      class: name,
      value: formatMicros(valueMicros),
      paid: formatMicros(paidMicros),
      coverage_ppm: Number(floorDiv(paidMicros * MICRO, valueMicros)),
    }
  })
}

/** The last day with a ten-character name. */
const LAST_DAY_NUMBER = BigInt(daysBetween('1970-01-01', '9999-12-31'))
/** Converts a day to a number for a cursor, and back. */
const numberOfDay = (day: Day) => daysBetween('1970-01-01', day)
function dayOfNumber(days: bigint): Day {
  if (days > LAST_DAY_NUMBER) throw new AppError('VALIDATION_FAILED', { field: 'cursor' })
  return addDays('1970-01-01', Number(days))
}
