import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../books/ledger/audit.ts'

/** The days whose rewards are complete: those of an open day are fixed but possibly only partly posted. */
const SETTLED = sql`select max(day) as day from settlement_days where state = 'settled'`

/** Checks that settlements are complete and release AMC by the rules. Rules, section 6. */
export const SETTLEMENT_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'settlement days',
    sql`select format('day %s', day) as subject, 'settled' as expected, coalesce(state, 'missing') as actual
      from (select generate_series(first_day::timestamp, last.day::timestamp, '1 day')::date as day
        from settlement_start, (${SETTLED}) as last) as due
      full join (select day, state from settlement_days where state = 'settled') as found using (day)
      where state is distinct from 'settled'`,
  ),
  auditQuery(
    'reserved',
    sql`select format('%s %s', account, asset) as subject, 0 as expected, reserved as actual
      from ledger_pools
      where reserved <> 0 and not exists (select from settlement_days where state <> 'settled')`,
  ),
  auditQuery(
    'release',
    sql`select format('member %s AMC released up to %s', member_id, last.day) as subject,
        coalesce(due.amount, 0) as expected, coalesce(posted.amount, 0) as actual
      from (
        select member_id, sum(case when r.released_to - r.day >= release_parts then amc_micros
          else amc_micros / release_parts * (r.released_to - r.day) end) as amount
        from (select member_id, r.day, release_parts, amc_micros, last.day as released_to
          from rewards as r, (${SETTLED}) as last
          union all select member_id, day, release_parts, amc_micros, released_to from reward_undone) as r
        where r.day < r.released_to and amc_micros > 0 group by member_id
      ) as due
      full join (
        select member_id, sum(amount) as amount from ledger_postings, (${SETTLED}) as last
        where kind = 'release' and accounting_day <= last.day group by member_id
      ) as posted using (member_id)
      cross join (${SETTLED}) as last
      where coalesce(due.amount, 0) <> coalesce(posted.amount, 0)`,
  ),
  auditQuery(
    'static',
    sql`select format('member %s order %s: paid by static rewards', member_id, order_id) as subject,
        coalesce(r.paid, 0) as expected, o.static_paid_micros as actual
      from orders as o
      left join (select member_id, order_id, sum(paid_micros) as paid from rewards where type = 'Interest'
        group by member_id, order_id) as r using (member_id, order_id)
      where coalesce(r.paid, 0) <> o.static_paid_micros`,
  ),
]
