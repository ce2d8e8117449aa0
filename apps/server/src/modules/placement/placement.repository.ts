import type { Side } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Where a member stands: on the leg of its own side, and as the origin of its cross leg, of the other side. */
export interface Spot {
  readonly memberId: bigint
  readonly side: Side
  readonly legId: bigint
  readonly position: number
  readonly crossLegId: bigint
}

/** Sums over one side of a member's team. */
export interface SideSums {
  readonly membersAll: number
  readonly membersValid: number
  readonly volumeMicros: bigint
  readonly monthVolumeMicros: bigint
}

/** What an event adds to the sums of every team that it belongs to. */
export interface Delta {
  readonly membersAll?: number
  readonly membersValid?: number
  readonly volumeMicros?: bigint
}

/** 'plac' as a number: no other advisory lock of this database uses it. */
const PLACEMENT_LOCK = 0x706c6163

export async function lock(dbTx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${PLACEMENT_LOCK})`.execute(dbTx)
}

export async function spotOf(db: Db, memberId: bigint): Promise<Spot | undefined> {
  const { rows } = await sql<Spot>`
    select member_id as "memberId", side, leg_id as "legId", position, cross_leg_id as "crossLegId"
    from placements where member_id = ${memberId}`.execute(db)
  return rows[0]
}

/** Starts the tree: the root lies at position 0 of a left leg without parent, and its right leg crosses that. */
export async function insertRoot(dbTx: Db, memberId: bigint): Promise<void> {
  await sql`
    with own as (
      insert into legs (side, tail_member_id, length) values ('left', ${memberId}, 0) returning leg_id
    ), across as (
      insert into legs (side, tail_member_id, length, parent_leg_id, parent_position)
      select 'right', ${memberId}, 0, leg_id, 0 from own returning leg_id
    )
    insert into placements (member_id, side, leg_id, position, cross_leg_id)
    select ${memberId}, 'left', own.leg_id, 0, across.leg_id from own, across`.execute(dbTx)
}

/** Appends a member to a leg, below its tail, and starts the member's cross leg. */
export async function append(dbTx: Db, memberId: bigint, legId: bigint): Promise<void> {
  await sql`
    with before as (
      select side, tail_member_id, length + 1 as position from legs where leg_id = ${legId}
    ), own as (
      update legs set tail_member_id = ${memberId}, length = length + 1 where leg_id = ${legId}
    ), across as (
      insert into legs (side, tail_member_id, length, parent_leg_id, parent_position)
      select case side when 'left' then 'right' else 'left' end, ${memberId}, 0, ${legId}, position from before
      returning leg_id
    )
    insert into placements (member_id, parent_id, side, leg_id, position, cross_leg_id)
    select ${memberId}, before.tail_member_id, before.side, ${legId}, before.position, across.leg_id
    from before, across`.execute(dbTx)
}

/**
 * Adds an event at a member to the sums of all teams above: on the member's own leg, then where that leg starts, and so
 * on up. Touches (number of side changes on the way to the root) x log2(leg length) rows.
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

/** The sums of both sides of the teams of some members; an array of `SumsRow` for each. */
export function sumsOf(memberIds: RawBuilder<bigint[]>, month: number): RawBuilder<unknown> {
  return sql`
    select placements.member_id, json_agg(json_build_object('side', teams.side, 'membersAll', members_all,
      'membersValid', members_valid, 'volumeMicros', volume::text, 'monthVolumeMicros', month_volume::text)) as value
    from placements
    cross join lateral (values (placements.leg_id, placements.position + 1), (placements.cross_leg_id, 1))
      as starts (leg_id, position)
    join legs as teams on teams.leg_id = starts.leg_id
    cross join lateral (
      select sum(members_all) as members_all, sum(members_valid) as members_valid,
        sum(volume_micros) filter (where period = 0) as volume,
        sum(volume_micros) filter (where period > 0) as month_volume
      from leg_sums
      where leg_id = starts.leg_id and period in (0, ${month}::integer)
        and node = any (leg_suffix_nodes(starts.position, teams.length))
    ) as sums
    where placements.member_id = any (${memberIds})
    group by placements.member_id`
}

/** A side's sums as `sumsOf` gives them; null where there are none. */
export interface SumsRow {
  readonly side: Side
  readonly membersAll: number | null
  readonly membersValid: number | null
  readonly volumeMicros: string | null
  readonly monthVolumeMicros: string | null
}

/** The side of `memberId` below which `belowId` stands, or undefined when it does not. Climbs leg by leg. */
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

/** A place in the tree: below whom, and on which side. */
export interface Place {
  readonly memberId: bigint
  readonly parentId: bigint | null
  readonly side: Side
}

/** A member's place and those of the `depth` generations below, each before the ones below it, left before right. */
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

/** From where a walk goes on: after a member, or with the first one of a side. */
export interface WalkStart {
  readonly legId: bigint
  readonly position: number
  /** True: what hangs across at this position has been walked already, or does not belong to the walk. */
  readonly crossed: boolean
}

/**
 * The next members below a position of a leg, at most `limit`, each before its own team: the cross leg's team first,
 * then further down the leg. Every step is one look-up by key; besides the members found, a step is spent on each
 * leg that ends, so a page costs at most limit + (number of side changes from the last member up to `endLegId`) steps.
 */
export async function walk(
  db: Db,
  start: WalkStart,
  endLegId: bigint,
  limit: number,
): Promise<{ memberId: bigint }[]> {
  const { rows } = await sql<{ memberId: bigint }>`
    with recursive walk (step, leg_id, position, crossed, found) as (
      select 0, ${start.legId}::bigint, ${start.position}::integer, ${start.crossed}::boolean, 0
      union all
      select walk.step + 1, following.leg_id, following.position, following.crossed,
        walk.found + (not following.crossed)::integer
      from walk
      join legs on legs.leg_id = walk.leg_id
      left join placements on not walk.crossed
        and placements.leg_id = walk.leg_id and placements.position = walk.position
      left join legs as across on across.leg_id = placements.cross_leg_id
      cross join lateral (
        select across.leg_id, 1, false where across.length > 0
        union all
        select walk.leg_id, walk.position + 1, false
        where coalesce(across.length, 0) = 0 and walk.position < legs.length
        union all
        select legs.parent_leg_id, legs.parent_position, true
        where coalesce(across.length, 0) = 0 and walk.position = legs.length and walk.leg_id <> ${endLegId}
      ) as following (leg_id, position, crossed)
      where walk.found < ${limit}
    )
    select placements.member_id as "memberId"
    from walk join placements on placements.leg_id = walk.leg_id and placements.position = walk.position
    where walk.step > 0 and not walk.crossed
    order by walk.step`.execute(db)
  return rows
}
