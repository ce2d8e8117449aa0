import type { Day, Micros } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { BatchRow, PaidSum, RewardClass, RewardRow } from './rewards.repository.ts'

/** The paid amounts of a member's rewards of one type on one day. */
export interface DayTypeSum extends PaidSum {
  readonly day: Day
}

/** Like `PaidSum`, with the amount due and the number of rewards. */
export interface TypeSum extends PaidSum {
  readonly count: number
  readonly valueMicros: Micros
}

const SUMS = sql`paid_micros as "paidMicros", usdt_micros as "usdtMicros", amc_micros as "amcMicros"`

/** Returns all types of a member's last `limit` days with rewards before a day, newest first. */
export async function daySums(
  db: Db,
  memberId: bigint,
  before: Day | undefined,
  limit: number,
): Promise<DayTypeSum[]> {
  const earlier: RawBuilder<unknown> = before === undefined ? sql`true` : sql`day < ${before}::date`
  const { rows } = await sql<DayTypeSum>`
    select day, type, ${SUMS} from reward_days
    where member_id = ${memberId} and day in (
      select distinct day from reward_days where member_id = ${memberId} and ${earlier}
      order by day desc limit ${limit}
    ) order by day desc, type`.execute(db)
  return rows
}

/** Returns the due and paid amounts of a member's rewards by type, over the days from `from` to `to`. */
export async function typeSums(db: Db, memberId: bigint, from: Day, to: Day): Promise<TypeSum[]> {
  const { rows } = await sql<TypeSum>`
    select type, count(*)::integer as count, sum(value_micros)::bigint as "valueMicros",
      sum(paid_micros)::bigint as "paidMicros", sum(usdt_micros)::bigint as "usdtMicros",
      sum(amc_micros)::bigint as "amcMicros"
    from rewards where member_id = ${memberId} and day between ${from}::date and ${to}::date
    group by type order by type`.execute(db)
  return rows
}

/** The amounts due and paid. */
export interface DueAndPaid {
  readonly dueMicros: Micros
  readonly paidMicros: Micros
}

/** The static rewards of a package in a month, those of its last days among them. */
export interface PackageMonth extends DueAndPaid {
  readonly orderId: bigint
  /** A UTC month, "2026-01". */
  readonly month: string
  readonly recentDueMicros: Micros
  readonly recentPaidMicros: Micros
  readonly recentDays: number
}

/** Returns a member's static rewards by package and month, oldest first; `since` begins the last days. */
export async function staticByPackage(db: Db, memberId: bigint, since: Day): Promise<PackageMonth[]> {
  const recent = sql`filter (where day >= ${since}::date)`
  const { rows } = await sql<PackageMonth>`
    select order_id as "orderId", to_char(day, 'YYYY-MM') as month,
      sum(value_micros)::bigint as "dueMicros", sum(paid_micros)::bigint as "paidMicros",
      coalesce(sum(value_micros) ${recent}, 0)::bigint as "recentDueMicros",
      coalesce(sum(paid_micros) ${recent}, 0)::bigint as "recentPaidMicros",
      (count(*) ${recent})::integer as "recentDays"
    from rewards where member_id = ${memberId} and type = 'Interest' and order_id is not null
    group by 1, 2 order by 2, 1`.execute(db)
  return rows
}

/** Returns the last static reward of each package of a member. */
export async function lastStatic(
  db: Db,
  memberId: bigint,
): Promise<(DueAndPaid & { orderId: bigint; day: Day })[]> {
  const { rows } = await sql<DueAndPaid & { orderId: bigint; day: Day }>`
    select distinct on (order_id) order_id as "orderId", day, value_micros as "dueMicros", paid_micros as "paidMicros"
    from rewards where member_id = ${memberId} and type = 'Interest' and order_id is not null
    order by order_id, day desc`.execute(db)
  return rows
}

/** Returns the records that a batch paid to a member. */
export async function rewardsOfBatch(db: Db, memberId: bigint, batch: string): Promise<RewardRow[]> {
  return db
    .selectFrom('rewards')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('batch', '=', batch)
    .orderBy('reward_id')
    .limit(200)
    .execute()
}

/** Returns the amounts due and paid to a member from another member's orders, by type. */
export async function sumsFrom(
  db: Db,
  memberId: bigint,
  sourceId: bigint,
): Promise<(DueAndPaid & { type: RewardRow['type']; count: number })[]> {
  const { rows } = await sql<DueAndPaid & { type: RewardRow['type']; count: number }>`
    select type, count(*)::integer as count, sum(value_micros)::bigint as "dueMicros",
      sum(paid_micros)::bigint as "paidMicros"
    from rewards where member_id = ${memberId} and source_member_id = ${sourceId}
    group by type order by type`.execute(db)
  return rows
}

/** Returns the due and paid amounts by day and class. */
export async function coverageDays(
  db: Db,
  from: Day,
  to: Day,
): Promise<{ day: Day; class: RewardClass; valueMicros: Micros; paidMicros: Micros }[]> {
  const rows = await db
    .selectFrom('reward_coverage')
    .select(['day', 'class', 'value_micros as valueMicros', 'paid_micros as paidMicros'])
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .orderBy('class')
    .execute()
  return rows
}

export async function findReward(db: Db, memberId: bigint, rewardId: bigint): Promise<RewardRow | undefined> {
  return db
    .selectFrom('rewards')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('reward_id', '=', rewardId)
    .executeTakeFirst()
}

export async function rewardBatchOf(db: Db, key: string): Promise<BatchRow> {
  return db.selectFrom('reward_batches').selectAll().where('batch', '=', key).executeTakeFirstOrThrow()
}

/**
 * Returns the share of an order's base that organisation rewards to members of some levels cover, in ppm.
 * Reads all shards; returns at most one row per level.
 */
export async function coveredBy(db: Db, orderId: bigint, levels: readonly number[]): Promise<number> {
  const { rows } = await sql<{ covered: number }>`
    select coalesce(sum(ratio_ppm), 0)::integer as covered from rewards
    where type = 'TeamReward' and order_id = ${orderId} and level = any (${levels}::integer[])`.execute(db)
  return rows[0]!.covered
}

/** Returns the static rewards paid on a package on earlier days. */
export async function paidOnPackageBefore(
  db: Db,
  memberId: bigint,
  orderId: bigint,
  day: Day,
): Promise<Micros> {
  const { rows } = await sql<{ paid: Micros }>`
    select coalesce(sum(paid_micros), 0)::bigint as paid from rewards
    where member_id = ${memberId} and type = 'Interest' and order_id = ${orderId} and day < ${day}::date`.execute(
    db,
  )
  return rows[0]!.paid
}
