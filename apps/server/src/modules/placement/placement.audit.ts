import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../ledger/ledger.audit.ts'
import { BEYOND } from './placement.repository.ts'

/**
 * The sums of each position of each leg in its team and above it, as the sums before it in path order. A row
 * without a position follows the whole leg.
 */
const RUNNING = sql`
  select leg_id, position, sum(a) over before as a, sum(v) over before as v, sum(volume) over before as volume
  from (
    select path, leg_id, position, 1 as a, (valid_at is not null)::integer as v, invested_micros as volume
    from placements join members using (member_id)
    union all
    select trim_array(path, 1) || ${sql.lit(BEYOND)}, leg_id, null, 0, 0, 0 from placements where position = 1
  ) as marks
  window before as (order by path rows between unbounded preceding and current row exclude current row)`

/** Every node of the Fenwick trees with its sums, with unfolded rows added as the fold would add them. */
const STORED = sql`
  select leg_id, node, sum(members_all) as a, sum(members_valid) as v,
    sum(volume_micros) filter (where period = 0) as volume, sum(volume_micros) filter (where period > 0) as by_month
  from (
    select leg_id, period, node, members_all, members_valid, volume_micros from leg_sums
    union all
    select leg_id, period, node, members_all, members_valid, volume_micros
    from (
      with recursive path (leg_id, position, members_all, members_valid, volume_micros) as (
        select leg_id, position, members_all, members_valid, volume_micros from leg_deltas
        union all
        select legs.parent_leg_id, legs.parent_position, members_all, members_valid, volume_micros
        from path join legs on legs.leg_id = path.leg_id where parent_leg_id is not null
      )
      select leg_id, period, node, case period when 0 then members_all else 0 end as members_all,
        case period when 0 then members_valid else 0 end as members_valid, volume_micros
      from path cross join lateral unnest(leg_update_nodes(position)) as node
      cross join (values (0), (1)) as periods (period)
    ) as fresh
  ) as parts group by leg_id, node`

/**
 * Recomputes the tree: every leg from its places, and every team sum from the members below. Rules, section
 * 3.
 */
export const PLACEMENT_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'leg',
    sql`select format('leg %s: length, places, tail, side, origin', coalesce(legs.leg_id, told.leg_id)) as subject,
        concat_ws(' ', told.length, told.places, told.tail, told.side, told.parent) as expected,
        concat_ws(' ', legs.length, legs.length, legs.tail_member_id, legs.side,
          concat_ws('/', legs.parent_leg_id, legs.parent_position)) as actual
      from legs full join (
        select leg_id, greatest(max(position), 0) as length, count(*) filter (where position > 0) as places,
          (array_agg(member_id order by position desc))[1] as tail, min(side) as side, max(parent) as parent
        from (
          select leg_id, position, member_id, side, '' as parent from placements
          union all
          select cross_leg_id, 0, member_id, case side when 'left' then 'right' else 'left' end,
            concat_ws('/', leg_id, position) from placements
        ) as ends group by leg_id
      ) as told using (leg_id)
      where (legs.length, legs.length, legs.tail_member_id, legs.side,
          concat_ws('/', legs.parent_leg_id, legs.parent_position))
        is distinct from (told.length, told.places, told.tail, told.side, told.parent)`,
  ),
  auditQuery(
    'parent',
    sql`select format('place of member %s: parent', member_id) as subject, told as expected, parent_id as actual
      from (
        select member_id, parent_id, coalesce(lag(member_id) over (partition by leg_id order by position),
          (select above.member_id from placements as above where above.cross_leg_id = own.leg_id)) as told
        from placements as own
      ) as places where parent_id is distinct from told`,
  ),
  auditQuery(
    'team',
    sql`select format('leg %s, node %s: members, valid, volume, by month', leg_id, node) as subject,
        concat_ws(' ', coalesce(told.a, 0), coalesce(told.v, 0), coalesce(told.volume, 0), coalesce(told.volume, 0)) as expected,
        concat_ws(' ', coalesce(stored.a, 0), coalesce(stored.v, 0), coalesce(stored.volume, 0), coalesce(by_month, 0))
          as actual
      from (
        with running as materialized (${RUNNING})
        select leg_id, first.position as node, coalesce(next.a, behind.a) - first.a as a,
          coalesce(next.v, behind.v) - first.v as v, coalesce(next.volume, behind.volume) - first.volume as volume
        from (select *, position + (position & -position) as next_position from running where position > 0) as first
        join (select * from running where position is null) as behind using (leg_id)
        left join (select leg_id, position as next_position, a, v, volume from running) as next using (leg_id, next_position)
      ) as told
      full join (${STORED}) as stored using (leg_id, node)
      where (coalesce(told.a, 0), coalesce(told.v, 0), coalesce(told.volume, 0), coalesce(told.volume, 0)) is distinct from
        (coalesce(stored.a, 0), coalesce(stored.v, 0), coalesce(stored.volume, 0), coalesce(by_month, 0))`,
  ),
  auditQuery(
    'invited',
    sql`select format('member %s: invited', member_id) as subject, coalesce(told.joined, 0) as expected,
        coalesce(stored.joined, 0) as actual
      from (select sponsor_id as member_id, count(*) as joined from members where sponsor_id is not null group by sponsor_id)
        as told
      full join member_invitations as stored using (member_id)
      where coalesce(told.joined, 0) <> coalesce(stored.joined, 0)`,
  ),
]
