import type { Day, Side } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { bigint, plain, type RowOf, rowsJson } from '../../../db/read.ts'
import { DIRECTLY_BELOW } from './placement.relations.ts'

/** A member's place on a leg of its own side. */
export interface Spot {
  readonly side: Side
  /**
   * The positions at which the path from the root leaves each leg, and finally the position on its own leg.
   */
  readonly path: readonly number[]
}

/** Sums over one side of a member's team. */
export interface SideSums {
  readonly membersAll: number
  readonly membersValid: number
  readonly volumeMicros: bigint
  readonly monthVolumeMicros: bigint
}

/** A number beyond every position of a leg. */
export const BEYOND = 2_147_483_647

/** 'volu' as a number; no other advisory lock of this database uses it. */
const VOLUMES_LOCK = 0x766f6c75

export async function lockVolumes(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${VOLUMES_LOCK})`.execute(dbTx)
}

export async function lockTree(dbTx: Db): Promise<void> {
  await sql`select lock_tree()`.execute(dbTx)
}

export async function spotOf(db: Db, memberId: bigint): Promise<Spot | undefined> {
  const { rows } = await sql<Spot>`
    select side, path from placements where member_id = ${memberId}`.execute(db)
  return rows[0]
}

/** Creates the tree: the root at position 0 of the left leg 0, which has no origin. */
export async function placeRoot(dbTx: Db, memberId: bigint): Promise<void> {
  await sql`
    insert into placements (member_id, side, leg_id, position, path) values (${memberId}, 'left', 0, 0, '{0}')`.execute(
    dbTx,
  )
}

/** The amounts that an order adds to the sums of every team above its buyer. */
export interface TeamPurchase {
  readonly memberId: bigint
  readonly membersValid: number
  readonly volumeMicros: bigint
}

/** Adds orders of a day, or their reversals, to the sums of the teams above. The caller holds the lock of the tree. */
export async function addPurchases(dbTx: Db, day: Day, purchases: readonly TeamPurchase[]): Promise<void> {
  await sql`
    select add_to_teams(${day}::date, ${purchases.map((purchase) => purchase.memberId)}::bigint[],
      ${purchases.map(() => 0)}::integer[], ${purchases.map((purchase) => purchase.membersValid)}::integer[],
      ${purchases.map((purchase) => purchase.volumeMicros)}::bigint[])`.execute(dbTx)
}

/** The sides of a member's team, each a leg with its starting position. */
const SIDES = sql`
  cross join lateral (values
    (placements.side, placements.leg_id, placements.position + 1),
    (case placements.side when 'left' then 'right' else 'left' end, placements.member_id, 1)
  ) as starts (side, leg_id, position)`

/** Joins the last place of each side's leg, as `tail`; it is null on a leg without members. */
const TAILS = sql`
  left join lateral (
    select member_id, position from placements as last
    where last.leg_id = starts.leg_id order by last.position desc limit 1
  ) as tail on true`

/** A side's sums in the result of `sumsOf`. */
export const SUMS = {
  side: plain<Side>('starts.side'),
  membersAll: plain<number>('members_all + coalesce(tail.position, 0) - starts.position + 1'),
  membersValid: plain<number>('members_valid'),
  volumeMicros: bigint('volume'),
  monthVolumeMicros: bigint('month_volume'),
}
export type SumsRow = RowOf<typeof SUMS>

/**
 * Returns a query of both sides' sums for members, as `SumsRow`s. The last position of a leg tells the number of
 * its own members.
 */
export function sumsOf(memberIds: RawBuilder<bigint[]>, month: number): RawBuilder<unknown> {
  return sql`
    select placements.member_id,
      ${rowsJson(SUMS)} as value
    from placements
    ${SIDES}
    ${TAILS}
    cross join lateral (
      select coalesce(sum(members_all), 0) as members_all, coalesce(sum(members_valid), 0) as members_valid,
        coalesce(sum(volume_micros) filter (where period = 0), 0) as volume,
        coalesce(sum(volume_micros) filter (where period <> 0), 0) as month_volume
      from leg_sums
      where leg_id = starts.leg_id and period in (0, ${month}::integer)
        and node = any (leg_suffix_nodes(starts.position))
    ) as sums
    where placements.member_id = any (${memberIds})
    group by placements.member_id`
}

/** Returns the volume of each side of a member's team in months (yyyymm), in USDT micro-units, without zeros. */
export async function monthVolumes(
  db: Db,
  memberId: bigint,
  months: readonly number[],
): Promise<{ month: number; side: Side; volumeMicros: bigint }[]> {
  const { rows } = await sql<{ month: number; side: Side; volumeMicros: bigint }>`
    select sums.period as month, starts.side, sum(sums.volume_micros)::bigint as "volumeMicros"
    from placements
    ${SIDES}
    join leg_sums as sums on sums.leg_id = starts.leg_id and sums.period = any(${months}::integer[])
      and sums.node = any (leg_suffix_nodes(starts.position))
    where placements.member_id = ${memberId}
    group by 1, 2 having sum(sums.volume_micros) <> 0`.execute(db)
  return rows
}

/** Returns the side of `memberId` on which `belowId` is, or undefined when it is not below. Climbs leg by leg. */
export async function sideBelow(db: Db, memberId: bigint, belowId: bigint): Promise<Side | undefined> {
  const { rows } = await sql<{ side: Side }>`
    with recursive path (leg_id, position) as (
      select leg_id, position from placements where member_id = ${belowId}
      union all
      select above.leg_id, above.position from path join placements as above on above.member_id = path.leg_id
    )
    select case when path.leg_id = top.leg_id then top.side when top.side = 'left' then 'right' else 'left' end as side
    from placements as top
    join path on (path.leg_id = top.leg_id and path.position > top.position) or path.leg_id = top.member_id
    where top.member_id = ${memberId}`.execute(db)
  return rows[0]?.side
}

/** A place in the tree. */
export interface TreePlace {
  readonly memberId: bigint
  readonly parentId: bigint | null
  readonly side: Side
}

/** Returns a member's place and those of the `depth` generations below, parents before children, left before right. */
export async function branch(db: Db, memberId: bigint, depth: number): Promise<TreePlace[]> {
  const { rows } = await sql<TreePlace>`
    with recursive branch (member_id, parent_id, side, leg_id, position, depth) as (
      select member_id, parent_id, side, leg_id, position, 0 from placements where member_id = ${memberId}
      union all
      select below.member_id, below.parent_id, below.side, below.leg_id, below.position, above.depth + 1
      from branch as above ${DIRECTLY_BELOW}
      where above.depth < ${depth}
    )
    select member_id as "memberId", parent_id as "parentId", side from branch order by depth, side`.execute(
    db,
  )
  return rows
}

/** Returns the places directly below members, left before right. */
export async function children(db: Db, memberIds: readonly bigint[]): Promise<TreePlace[]> {
  const { rows } = await sql<TreePlace>`
    select below.member_id as "memberId", below.parent_id as "parentId", below.side
    from placements as above ${DIRECTLY_BELOW}
    where above.member_id = any (${memberIds}::bigint[]) order by below.side`.execute(db)
  return rows
}

/** Returns at most `limit` places below members, generation by generation, without the places of these members. */
export async function below(db: Db, memberIds: readonly bigint[], limit: number): Promise<TreePlace[]> {
  const { rows } = await sql<TreePlace>`
    with recursive branch (member_id, parent_id, side, leg_id, position, depth) as (
      select member_id, parent_id, side, leg_id, position, 0 from placements where member_id = any (${memberIds}::bigint[])
      union all
      select below.member_id, below.parent_id, below.side, below.leg_id, below.position, above.depth + 1
      from branch as above ${DIRECTLY_BELOW}
    )
    select member_id as "memberId", parent_id as "parentId", side
    from branch where depth > 0 limit ${limit}`.execute(db)
  return rows
}

/** Returns at most `steps` members above a member up to `topId`, nearest first. `topId` must be above. */
export async function wayUp(db: Db, memberId: bigint, topId: bigint, steps: number): Promise<bigint[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    with recursive way (member_id, parent_id, step) as (
      select member_id, parent_id, 0 from placements where member_id = ${memberId}
      union all
      select above.member_id, above.parent_id, way.step + 1
      from way join placements as above on above.member_id = way.parent_id
      where way.member_id <> ${topId} and way.step < ${steps}
    )
    select member_id as "memberId" from way where step > 0 order by step`.execute(db)
  return rows.map((row) => row.memberId)
}

/** Returns the last member of each leg that starts at or contains a member, and how many generations below it is. */
export async function tails(
  db: Db,
  memberId: bigint,
): Promise<{ side: Side; memberId: bigint; generation: number }[]> {
  const { rows } = await sql<{ side: Side; memberId: bigint; generation: number }>`
    select starts.side, coalesce(tail.member_id, starts.leg_id) as "memberId",
      coalesce(tail.position, 0) - starts.position + 1 as generation
    from placements
    ${SIDES}
    ${TAILS}
    where placements.member_id = ${memberId}`.execute(db)
  return rows
}

/** An exclusive range of paths. */
export interface PathRange {
  readonly above: readonly number[]
  readonly below: readonly number[]
}

/** Returns the members among the given ones that are in a range of paths. */
export async function inRange(
  db: Db,
  memberIds: readonly bigint[],
  range: PathRange,
): Promise<{ memberId: bigint; path: number[] }[]> {
  const { rows } = await sql<{ memberId: bigint; path: number[] }>`
    select member_id as "memberId", path from placements
    where member_id = any (${memberIds}::bigint[]) and ${pathIn(range)}`.execute(db)
  return rows
}

/** Returns a query of (member_id, path) of the places in a range of paths. */
export const placesIn = (range: PathRange): RawBuilder<unknown> =>
  sql`select member_id, path from placements where ${pathIn(range)}`

/** Returns a query of (path) of a member's place, if it is in the range of paths. */
export const placeOf = (memberId: RawBuilder<bigint>, range: PathRange): RawBuilder<unknown> =>
  sql`select path from placements where placements.member_id = ${memberId} and ${pathIn(range)}`

/** The number of elements of a path that the index `placements_by_path` holds. */
const INDEXED = 100

/** Returns the condition that `placements.path` is in a range, in a form that the index on paths supports. */
function pathIn({ above, below }: PathRange): RawBuilder<boolean> {
  const [low, high] = [above.slice(0, INDEXED), below.slice(0, INDEXED)]
  const indexed = sql<boolean>`placements.path[1:100] between ${low}::integer[] and ${high}::integer[]`
  // The indexed part suffices unless an end is cut off. A further condition would distort the planner's
  // estimate.
  if (above.length < INDEXED && below.length < INDEXED) {
    return sql<boolean>`(${indexed} and placements.path[1:100] not in (${low}::integer[], ${high}::integer[]))`
  }
  return sql<boolean>`(${indexed} and placements.path > ${above}::integer[] and placements.path < ${below}::integer[])`
}
