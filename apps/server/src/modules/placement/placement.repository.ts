import type { Side } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { records } from '../../db/read.ts'

/** A member's place: its leg, of its own side, and the cross leg that starts at it, of the other side. */
export interface Spot {
  readonly memberId: bigint
  readonly side: Side
  readonly legId: bigint
  readonly position: number
  readonly crossLegId: bigint
  /** The positions at which the route from the top turns off each leg; last the one on the own leg. */
  readonly path: readonly number[]
}

/** Sums over one side of a member's team. */
export interface SideSums {
  readonly membersAll: number
  readonly membersValid: number
  readonly volumeMicros: bigint
  readonly monthVolumeMicros: bigint
}

/** The amounts that an event adds to the sums of every team above. */
export interface Delta {
  readonly membersAll?: number
  readonly membersValid?: number
  readonly volumeMicros?: bigint
}

/** 'plac' as a number; no other advisory lock of this database uses it. */
const PLACEMENT_LOCK = 0x706c6163

export async function lock(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PLACEMENT_LOCK})`.execute(dbTx)
}

export async function spotOf(db: Db, memberId: bigint): Promise<Spot | undefined> {
  const { rows } = await sql<Spot>`
    select member_id as "memberId", side, leg_id as "legId", position, cross_leg_id as "crossLegId",
      path
    from placements where member_id = ${memberId}`.execute(db)
  return rows[0]
}

/** Creates the tree: the root at position 0 of a left leg without parent, and its right cross leg. */
export async function insertRoot(dbTx: Db, memberId: bigint): Promise<void> {
  await sql`
    with own as (
      insert into legs (side, tail_member_id, length) values ('left', ${memberId}, 0) returning leg_id
    ), across as (
      insert into legs (side, tail_member_id, length, parent_leg_id, parent_position)
      select 'right', ${memberId}, 0, leg_id, 0 from own returning leg_id
    )
    insert into placements (member_id, side, leg_id, position, cross_leg_id, path)
    select ${memberId}, 'left', own.leg_id, 0, across.leg_id, '{0}' from own, across`.execute(dbTx)
}

/** Appends a member to a leg, below its tail, and starts the member's cross leg. */
export async function append(dbTx: Db, memberId: bigint, legId: bigint): Promise<void> {
  await sql`
    with before as (
      select legs.side, legs.tail_member_id, legs.length + 1 as position,
        coalesce(origins.path, '{}') as start
      from legs left join placements as origins
        on origins.leg_id = legs.parent_leg_id and origins.position = legs.parent_position
      where legs.leg_id = ${legId}
    ), own as (
      update legs set tail_member_id = ${memberId}, length = length + 1 where leg_id = ${legId}
    ), across as (
      insert into legs (side, tail_member_id, length, parent_leg_id, parent_position)
      select case side when 'left' then 'right' else 'left' end, ${memberId}, 0, ${legId}, position from before
      returning leg_id
    )
    insert into placements (member_id, parent_id, side, leg_id, position, cross_leg_id, path)
    select ${memberId}, before.tail_member_id, before.side, ${legId}, before.position, across.leg_id,
      before.start || before.position
    from before, across`.execute(dbTx)
}

/**
 * Adds an event at a member to the sums of all teams above: on the member's own leg, then at the start of that leg, and
 * so on up. Writes (number of side changes up to the root) x log2(leg length) rows.
 */
export async function add(dbTx: Db, memberId: bigint, month: number, delta: Delta): Promise<void> {
  const { membersAll = 0, membersValid = 0, volumeMicros = 0n } = delta
  await sql`
    with recursive path (leg_id, position) as (
      select leg_id, position from placements where member_id = ${memberId}
      union all
      select legs.parent_leg_id, legs.parent_position
      from path join legs on legs.leg_id = path.leg_id where legs.parent_leg_id is not null
    )
    insert into leg_sums as sums (leg_id, period, node, members_all, members_valid, volume_micros)
    select path.leg_id, events.period, nodes.node, events.members_all, events.members_valid, ${volumeMicros}::bigint
    from path
    cross join lateral unnest(leg_update_nodes(path.position)) as nodes (node)
    cross join (values
      (0, ${membersAll}::integer, ${membersValid}::integer),
      (${month}::integer, 0, 0)
    ) as events (period, members_all, members_valid)
    where events.period = 0 or ${volumeMicros}::bigint <> 0
    on conflict (leg_id, period, node) do update set
      members_all = sums.members_all + excluded.members_all,
      members_valid = sums.members_valid + excluded.members_valid,
      volume_micros = sums.volume_micros + excluded.volume_micros`.execute(dbTx)
}

/** Returns a query of both sides' sums for members, as `SumsRow`s. */
export function sumsOf(memberIds: RawBuilder<bigint[]>, month: number): RawBuilder<unknown> {
  return sql`
    select placements.member_id,
      ${records('teams.side', 'members_all', 'members_valid', 'volume', 'month_volume')} as value
    from placements
    cross join lateral (values (placements.leg_id, placements.position + 1), (placements.cross_leg_id, 1))
      as starts (leg_id, position)
    join legs as teams on teams.leg_id = starts.leg_id
    cross join lateral (
      select coalesce(sum(members_all), 0) as members_all, coalesce(sum(members_valid), 0) as members_valid,
        coalesce(sum(volume_micros) filter (where period = 0), 0) as volume,
        coalesce(sum(volume_micros) filter (where period > 0), 0) as month_volume
      from leg_sums
      where leg_id = starts.leg_id and period in (0, ${month}::integer)
        and node = any (leg_suffix_nodes(starts.position))
    ) as sums
    where placements.member_id = any (${memberIds})
    group by placements.member_id`
}

/** A side's sums in the result of `sumsOf`. */
export type SumsRow = readonly [
  side: Side,
  membersAll: string,
  membersValid: string,
  volumeMicros: string,
  monthVolumeMicros: string,
]

/** Returns the volume of each side of a member's team in months (yyyymm), in USDT micro-units, without zeros. */
export async function monthVolumes(
  db: Db,
  memberId: bigint,
  months: readonly number[],
): Promise<{ month: number; side: Side; volumeMicros: bigint }[]> {
  const { rows } = await sql<{ month: number; side: Side; volumeMicros: bigint }>`
    select leg_sums.period as month, teams.side, sum(leg_sums.volume_micros)::bigint as "volumeMicros"
    from placements
    cross join lateral (values (placements.leg_id, placements.position + 1), (placements.cross_leg_id, 1))
      as starts (leg_id, position)
    join legs as teams on teams.leg_id = starts.leg_id
    join leg_sums on leg_sums.leg_id = starts.leg_id and leg_sums.period = any(${months}::integer[])
      and leg_sums.node = any (leg_suffix_nodes(starts.position))
    where placements.member_id = ${memberId}
    group by 1, 2`.execute(db)
  return rows
}

/** Returns the side of `memberId` on which `belowId` is, or undefined when it is not below. Climbs leg by leg. */
export async function sideBelow(db: Db, memberId: bigint, belowId: bigint): Promise<Side | undefined> {
  const { rows } = await sql<{ side: Side }>`
    with recursive path (leg_id, position) as (
      select leg_id, position from placements where member_id = ${belowId}
      union all
      select legs.parent_leg_id, legs.parent_position
      from path join legs on legs.leg_id = path.leg_id where legs.parent_leg_id is not null
    )
    select legs.side
    from placements as top
    join path on (path.leg_id = top.leg_id and path.position > top.position)
              or (path.leg_id = top.cross_leg_id)
    join legs on legs.leg_id = path.leg_id
    where top.member_id = ${memberId}`.execute(db)
  return rows[0]?.side
}

/** A place in the tree. */
export interface Place {
  readonly memberId: bigint
  readonly parentId: bigint | null
  readonly side: Side
}

/** Returns a member's place and those of the `depth` generations below, parents before children, left before right. */
export async function branch(db: Db, memberId: bigint, depth: number): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with recursive branch (member_id, parent_id, side, depth) as (
      select member_id, parent_id, side, 0 from placements where member_id = ${memberId}
      union all
      select below.member_id, below.parent_id, below.side, branch.depth + 1
      from branch join placements as below on below.parent_id = branch.member_id
      where branch.depth < ${depth}
    )
    select member_id as "memberId", parent_id as "parentId", side from branch order by depth, side`.execute(
    db,
  )
  return rows
}

/** Returns the places directly below members, left before right. */
export async function children(db: Db, memberIds: readonly bigint[]): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select member_id as "memberId", parent_id as "parentId", side
    from placements where parent_id = any (${memberIds}::bigint[]) order by side`.execute(db)
  return rows
}

/** Returns at most `limit` places below members, generation by generation, without the places of these members. */
export async function below(db: Db, memberIds: readonly bigint[], limit: number): Promise<Place[]> {
  const { rows } = await sql<Place>`
    with recursive branch (member_id, parent_id, side, depth) as (
      select member_id, parent_id, side, 0 from placements where member_id = any (${memberIds}::bigint[])
      union all
      select below.member_id, below.parent_id, below.side, branch.depth + 1
      from branch join placements as below on below.parent_id = branch.member_id
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
    select legs.side, legs.tail_member_id as "memberId",
      legs.length - case when legs.leg_id = placements.leg_id then placements.position else 0 end as generation
    from placements join legs on legs.leg_id in (placements.leg_id, placements.cross_leg_id)
    where placements.member_id = ${memberId}`.execute(db)
  return rows
}

/** A range of paths without its ends. */
export interface PathRange {
  readonly above: readonly number[]
  readonly below: readonly number[]
}

/** Returns those of the members that are in a range of paths. */
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
  // The indexed part is sufficient unless an end is cut off. A further condition would distort the planner's estimate.
  if (above.length < INDEXED && below.length < INDEXED) {
    return sql<boolean>`(${indexed} and placements.path[1:100] not in (${low}::integer[], ${high}::integer[]))`
  }
  return sql<boolean>`(${indexed} and placements.path > ${above}::integer[] and placements.path < ${below}::integer[])`
}
