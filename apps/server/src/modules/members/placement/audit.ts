import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../../books/ledger/audit.ts'
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

/** Every node of the Fenwick trees with its sums. */
const STORED = sql`
  select leg_id, node, sum(members_all) as a, sum(members_valid) as v,
    sum(volume_micros) filter (where period = 0) as volume, sum(volume_micros) filter (where period > 0) as by_month
  from leg_sums group by leg_id, node`

/**
 * Recomputes the tree: every place from the one before it on its leg, and every team sum from the members
 * below. Rules, section 3.
 */
export const PLACEMENT_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'place',
    sql`select format('member %s: place, sponsor', coalesce(member, placed)) as subject,
        concat_ws(' ', member, sponsor) as expected, concat_ws(' ', placed, sponsors.member_id) as actual
      from (select m.member_id as member, m.sponsor_id as sponsor, p.member_id as placed
        from members as m full join placements as p on p.member_id = m.member_id) as joined
      left join members as sponsors on sponsors.member_id = joined.sponsor
      where (member, sponsor) is distinct from (placed, sponsors.member_id)`,
  ),
  auditQuery(
    'leg',
    sql`select format('place of member %s: position, parent, side, path', member_id) as subject,
        concat_ws(' ', expected_position, expected_parent, expected_side, expected_path) as expected,
        concat_ws(' ', position, parent_id, side, path) as actual
      from (
        select own.member_id, own.position, own.parent_id, own.side, own.path,
          row_number() over leg - case own.leg_id when 0 then 1 else 0 end as expected_position,
          coalesce(lag(own.member_id) over leg, origin.member_id) as expected_parent,
          case origin.side when 'left' then 'right' else 'left' end as expected_side,
          coalesce(origin.path, '{}') || own.position as expected_path
        from placements as own left join placements as origin on origin.member_id = own.leg_id
        window leg as (partition by own.leg_id order by own.position)
      ) as places
      where (position, parent_id, side, path) is distinct from (expected_position, expected_parent, expected_side, expected_path)`,
  ),
  auditQuery(
    'team',
    sql`select format('leg %s, node %s: members, valid, volume, by month', leg_id, node) as subject,
        concat_ws(' ', coalesce(told.a, 0), coalesce(told.v, 0), coalesce(told.volume, 0), coalesce(told.volume, 0)) as expected,
        concat_ws(' ', coalesce(stored.a, 0), coalesce(stored.v, 0), coalesce(stored.volume, 0), coalesce(by_month, 0))
          as actual
      from (
        with running as materialized (${RUNNING})
        select leg_id, first.position as node,
          coalesce(next.a, behind.a) - first.a - (least(next_position, length + 1) - first.position) as a,
          coalesce(next.v, behind.v) - first.v as v, coalesce(next.volume, behind.volume) - first.volume as volume
        from (
          select *, position + (position & -position) as next_position, max(position) over (partition by leg_id) as length
          from running where position > 0
        ) as first
        join (select * from running where position is null) as behind using (leg_id)
        left join (select leg_id, position as next_position, a, v, volume from running) as next using (leg_id, next_position)
      ) as told
      full join (${STORED}) as stored using (leg_id, node)
      where (coalesce(told.a, 0), coalesce(told.v, 0), coalesce(told.volume, 0), coalesce(told.volume, 0)) is distinct from
        (coalesce(stored.a, 0), coalesce(stored.v, 0), coalesce(stored.volume, 0), coalesce(by_month, 0))`,
  ),
  auditQuery(
    'invited',
    sql`select format('member %s: number among the invited', member_id) as subject, expected, invited_no as actual
      from (
        select member_id, invited_no, row_number() over (partition by sponsor_id order by member_id) as expected
        from members where sponsor_id is not null
      ) as numbered
      where invited_no <> expected`,
  ),
]
