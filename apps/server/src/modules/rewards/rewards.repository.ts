import type { Day, Micros, RewardKind } from '@rif/rules'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { bigint, plain, type RowOf, rowJson, rowsJson } from '../../db/read.ts'
import { insertRows } from '../../db/rows.ts'
import type { RewardBatches, Rewards } from '../../db/types.gen.ts'

/** The classes of rewards that are paid together. Rules, section 6. */
export type RewardClass = 'commission' | 'pairing' | 'management' | 'static'

/** A reward record; the schema describes the columns. */
export type RewardRow = Selectable<Rewards>
export type NewReward = Omit<RewardRow, 'reward_id'>

/** The paid value of rewards of one type, and its parts in USDT and AMC. */
export interface PaidSum {
  readonly type: RewardKind
  readonly paidMicros: Micros
  readonly usdtMicros: Micros
  readonly amcMicros: Micros
}

/** The terms of a batch; the schema describes the columns. */
export type BatchRow = Selectable<RewardBatches>

/** Writes the record of a batch; fails if one with that key exists. */
export async function insertBatch(dbTx: Db, batch: BatchRow): Promise<void> {
  await dbTx.insertInto('reward_batches').values(batch).execute()
}

/** Writes the records of batches; fails if one with the same key exists. */
export function insertBatches(dbTx: Db, batches: readonly BatchRow[]): Promise<void> {
  return insertRows(dbTx, 'reward_batches', batches)
}

/** Returns the record of a batch. */
export async function findBatch(db: Db, key: string): Promise<BatchRow | undefined> {
  return db.selectFrom('reward_batches').selectAll().where('batch', '=', key).executeTakeFirst()
}

/** Returns batches by key, as fixed. */
export function findBatches(db: Db, keys: readonly string[]): Promise<BatchRow[]> {
  return db.selectFrom('reward_batches').selectAll().where('batch', 'in', keys).execute()
}

/** Writes reward records. */
export function insertRewards(dbTx: Db, rewards: readonly NewReward[]): Promise<void> {
  return insertRows(dbTx, 'rewards', rewards)
}

/** Adds new records to the running sums of their members. */
export async function addToSums(dbTx: Db, rewards: readonly NewReward[]): Promise<void> {
  await addRowsToSums(
    dbTx,
    sql`
    select member_id, day, type, sum(paid)::bigint as paid, sum(usdt)::bigint as usdt, sum(amc)::bigint as amc
    from unnest(
      ${rewards.map((reward) => reward.member_id)}::bigint[], ${rewards.map((reward) => reward.day)}::date[],
      ${rewards.map((reward) => reward.type)}::text[], ${rewards.map((reward) => reward.paid_micros)}::bigint[],
      ${rewards.map((reward) => reward.usdt_micros)}::bigint[], ${rewards.map((reward) => reward.amc_micros)}::bigint[]
    ) as added (member_id, day, type, paid, usdt, amc)
    group by member_id, day, type order by member_id`,
  )
}

/**
 * Does the same as `addToSums` for a query of (member_id, day, type, paid, usdt, amc), with one row for each
 * member, day and type.
 */
export async function addRowsToSums(dbTx: Db, added: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into reward_days as kept (member_id, day, type, paid_micros, usdt_micros, amc_micros) ${added}
    on conflict (member_id, day, type) do update set paid_micros = kept.paid_micros + excluded.paid_micros,
      usdt_micros = kept.usdt_micros + excluded.usdt_micros,
      amc_micros = kept.amc_micros + excluded.amc_micros`.execute(dbTx)
  await sql`
    insert into reward_totals as kept (member_id, type, paid_micros, usdt_micros, amc_micros)
    select member_id, type, paid, usdt, amc from (${added}) as added
    on conflict (member_id, type) do update set paid_micros = kept.paid_micros + excluded.paid_micros,
      usdt_micros = kept.usdt_micros + excluded.usdt_micros,
      amc_micros = kept.amc_micros + excluded.amc_micros`.execute(dbTx)
}

/** Adds a batch to the amounts due and paid of its class on a day. */
export async function addToCoverage(
  dbTx: Db,
  day: Day,
  rewardClass: RewardClass,
  added: { valueMicros: Micros; paidMicros: Micros },
): Promise<void> {
  await sql`
    insert into reward_coverage as kept (day, class, value_micros, paid_micros)
    values (${day}, ${rewardClass}, ${added.valueMicros}, ${added.paidMicros})
    on conflict (day, class) do update set value_micros = kept.value_micros + excluded.value_micros,
      paid_micros = kept.paid_micros + excluded.paid_micros`.execute(dbTx)
}

/** Returns the total paid by a member's rewards of each type. */
export const PAID_SUM = {
  type: plain<RewardKind>('type'),
  paidMicros: bigint('paid_micros'),
  usdtMicros: bigint('usdt_micros'),
  amcMicros: bigint('amc_micros'),
}
export type PaidSumRow = RowOf<typeof PAID_SUM>

export const paidSumsOf = (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> => sql`
  select member_id, ${rowsJson(PAID_SUM)} as value
  from reward_totals where member_id = any (${memberIds}) group by member_id`

/** Returns the amounts paid by a member's rewards on one day. */
export const DAY_SUM = { usdtMicros: bigint('sum(usdt_micros)'), amcMicros: bigint('sum(amc_micros)') }

export const daySumsOf = (memberIds: RawBuilder<bigint[]>, day: Day): RawBuilder<unknown> => sql`
  select member_id, ${rowJson(DAY_SUM)} as value
  from reward_days where member_id = any (${memberIds}) and day = ${day} group by member_id`

/**
 * Returns the amounts that the rewards of one day paid to each of some members; members without any are left
 * out.
 */
export async function paidOn(
  db: Db,
  memberIds: readonly bigint[],
  day: Day,
): Promise<{ memberId: bigint; usdtMicros: Micros; amcMicros: Micros }[]> {
  const { rows } = await sql<{ memberId: bigint; usdtMicros: Micros; amcMicros: Micros }>`
    select member_id as "memberId", sum(usdt_micros)::bigint as "usdtMicros", sum(amc_micros)::bigint as "amcMicros"
    from reward_days where member_id = any (${memberIds}::bigint[]) and day = ${day}
    group by member_id having sum(usdt_micros) + sum(amc_micros) > 0`.execute(db)
  return rows
}

/** Returns a member's rewards, newest first, up to `limit` + 1. */
export async function listRewards(
  db: Db,
  memberId: bigint,
  filter: { type?: RewardKind | undefined; before?: bigint | undefined; limit: number },
): Promise<RewardRow[]> {
  let query = db.selectFrom('rewards').selectAll().where('member_id', '=', memberId)
  if (filter.type !== undefined) query = query.where('type', '=', filter.type)
  if (filter.before !== undefined) query = query.where('reward_id', '<', filter.before)
  return query
    .orderBy('reward_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** Returns the due and paid amounts by class on the days from `from` to `to`. */
export async function rewardCoverage(
  db: Db,
  from: Day,
  to: Day,
): Promise<{ class: RewardClass; valueMicros: Micros; paidMicros: Micros }[]> {
  const { rows } = await sql<{ class: RewardClass; valueMicros: Micros; paidMicros: Micros }>`
    select class, sum(value_micros)::bigint as "valueMicros", sum(paid_micros)::bigint as "paidMicros"
    from reward_coverage where day between ${from} and ${to} group by class`.execute(db)
  return rows
}

/** The payments of a batch to a member: sums over the records, and their causes. */
export interface BatchShare {
  readonly batch: string
  readonly count: number
  readonly dueMicros: Micros
  readonly paidMicros: Micros
  /** The buyer and the order of a commission; null for anything else. */
  readonly sourceMemberId: bigint | null
  readonly orderId: bigint | null
  /** The base and rate of the only record; null if there are several. */
  readonly single: {
    readonly rewardId: bigint
    readonly baseMicros: Micros
    readonly ratioPpm: number
  } | null
}

/** Returns the payments of each of these batches to a member; batches without a record are left out. */
export async function sharesOf(
  db: Db,
  memberId: bigint,
  batches: readonly string[],
): Promise<ReadonlyMap<string, BatchShare>> {
  if (batches.length === 0) return new Map()
  type Row = Omit<BatchShare, 'single'> & { rewardId: bigint; baseMicros: Micros; ratioPpm: number }
  const { rows } = await sql<Row>`
    select batch, count(*)::integer as count, sum(value_micros)::bigint as "dueMicros",
      sum(paid_micros)::bigint as "paidMicros", min(source_member_id) as "sourceMemberId",
      min(order_id) filter (where source_member_id is not null) as "orderId",
      min(reward_id) as "rewardId", min(base_micros) as "baseMicros", min(ratio_ppm) as "ratioPpm"
    from rewards where member_id = ${memberId} and batch = any(${batches}::text[])
    group by batch`.execute(db)
  return new Map(
    rows.map(({ rewardId, baseMicros, ratioPpm, ...row }) => [
      row.batch,
      { ...row, single: row.count === 1 ? { rewardId, baseMicros, ratioPpm } : null },
    ]),
  )
}

export async function rewardReceiversOf(db: Db, batch: string): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    select distinct r.member_id as "memberId" from rewards as r
    where batch = ${batch} order by r.member_id`.execute(db)
  return rows.map((row) => row.memberId)
}

/** Returns the AMC of a batch that settled days have released to each receiver, in micro-units. */
export async function releasedOf(db: Db, batch: string): Promise<ReadonlyMap<bigint, Micros>> {
  const { rows } = await sql<{ memberId: bigint; micros: Micros }>`
    select member_id as "memberId", sum(case when settled.day - r.day >= release_parts then amc_micros
        else amc_micros / release_parts * (settled.day - r.day) end)::bigint as micros
    from rewards as r, (select last_settled_day() as day) as settled
    where batch = ${batch} and amc_micros > 0 and r.day < settled.day group by member_id`.execute(db)
  return new Map(rows.map(({ memberId, micros }) => [memberId, micros]))
}

/**
 * Moves the records of a batch to `reward_undone` and subtracts them from the running sums. Release of locked
 * AMC of settled days has begun: the coming days release less.
 */
export async function undoBatch(dbTx: Db, batch: string, at: Date): Promise<void> {
  await sql`
    insert into reward_undone
    select r.*, ${at}::timestamptz, last_settled_day() from rewards as r where batch = ${batch}`.execute(dbTx)
  const undone = sql`(select * from reward_undone where batch = ${batch} and undone_at = ${at}::timestamptz)`
  await addRowsToSums(
    dbTx,
    sql`select member_id, day, type, -sum(paid_micros)::bigint as paid, -sum(usdt_micros)::bigint as usdt,
        -sum(amc_micros)::bigint as amc
      from ${undone} as undone group by member_id, day, type order by member_id`,
  )
  await sql`
    delete from reward_days where (paid_micros, usdt_micros, amc_micros) = (0, 0, 0)
      and (member_id, day, type) in (select member_id, day, type from ${undone} as undone)
      and not exists (select from rewards as r where r.member_id = reward_days.member_id and r.day = reward_days.day
        and r.type = reward_days.type and r.batch <> ${batch})`.execute(dbTx)
  await sql`
    delete from reward_totals where (paid_micros, usdt_micros, amc_micros) = (0, 0, 0)
      and (member_id, type) in (select member_id, type from ${undone} as undone)
      and not exists (select from rewards as r where r.member_id = reward_totals.member_id
        and r.type = reward_totals.type and r.batch <> ${batch})`.execute(dbTx)
  await sql`
    update reward_coverage as c set value_micros = c.value_micros - b.value_micros,
      paid_micros = c.paid_micros - b.paid_micros
    from reward_batches as b where b.batch = ${batch} and c.day = b.day and c.class = b.class`.execute(dbTx)
  await sql`
    delete from reward_coverage as c using reward_batches as b
    where b.batch = ${batch} and c.day = b.day and c.class = b.class and c.value_micros = 0`.execute(dbTx)
  await sql`
    update member_standings as s set release_micros = s.release_micros - parts.micros
    from (select member_id, sum(amc_micros / release_parts)::bigint as micros from ${undone} as undone
      where released_to > day and released_to < day + release_parts group by member_id) as parts
    where s.member_id = parts.member_id`.execute(dbTx)
  await sql`select delete_undone_rewards(${batch})`.execute(dbTx)
}

export async function lowerStanding(dbTx: Db, memberId: bigint, level: number): Promise<void> {
  await sql`
    update member_standings set level = ${level} where member_id = ${memberId} and level > ${level}`.execute(
    dbTx,
  )
}
