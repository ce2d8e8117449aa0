import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../../books/ledger/audit.ts'

const day = (column: string) => sql`(${sql.ref(column)} at time zone 'UTC')::date`

/** Recomputes every daily sum from the rows that it counts. */
export const ANALYTICS_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'flow day',
    sql`select format('%s %s %s: %s > %s', accounting_day, kind, asset, source, destination) as subject,
        concat_ws(' ', coalesce(fold.amount, 0), coalesce(fold.postings, 0)) as expected,
        concat_ws(' ', coalesce(stored.amount, 0), coalesce(stored.postings, 0)) as actual
      from (select accounting_day, kind, asset, source, destination, sum(amount) as amount, count(*) as postings
        from ledger_postings group by accounting_day, kind, asset, source, destination) as fold
      full join (select accounting_day, kind, asset, source, destination, sum(amount) as amount,
          sum(postings) as postings
        from ledger_flow_sums group by accounting_day, kind, asset, source, destination) as stored
        using (accounting_day, kind, asset, source, destination)
      where (coalesce(fold.amount, 0), coalesce(fold.postings, 0))
        is distinct from (coalesce(stored.amount, 0), coalesce(stored.postings, 0))`,
  ),
  auditQuery(
    'member day',
    sql`select format('%s: joined, became valid', day) as subject,
        concat_ws(' ', coalesce(fold.joined, 0), coalesce(fold.became_valid, 0)) as expected,
        concat_ws(' ', coalesce(stored.joined, 0), coalesce(stored.became_valid, 0)) as actual
      from (select day, count(*) filter (where step = 'joined') as joined,
          count(*) filter (where step = 'valid') as became_valid
        from (select ${day('joined_at')} as day, 'joined' as step from members
          union all select ${day('valid_at')}, 'valid' from members where valid_at is not null) as steps
        group by day) as fold
      full join member_days as stored using (day)
      where (coalesce(fold.joined, 0), coalesce(fold.became_valid, 0))
        is distinct from (coalesce(stored.joined, 0), coalesce(stored.became_valid, 0))`,
  ),
  auditQuery(
    'member level',
    sql`select format('level %s', level) as subject, coalesce(fold.members, 0) as expected,
        coalesce(stored.members, 0) as actual
      from (select level, count(*) as members from members group by level) as fold
      full join member_levels as stored using (level)
      where coalesce(fold.members, 0) <> coalesce(stored.members, 0)`,
  ),
  auditQuery(
    'order day',
    sql`select format('package %s %s: ordered, first, cancelled', package_id, day) as subject,
        concat_ws(' ', coalesce(fold.ordered, 0), coalesce(fold.first_ordered, 0), coalesce(fold.cancelled, 0)) as expected,
        concat_ws(' ', coalesce(stored.ordered, 0), coalesce(stored.first_ordered, 0), coalesce(stored.cancelled, 0))
          as actual
      from (select package_id, day, sum(ordered) as ordered, sum(first_ordered) as first_ordered,
          sum(cancelled) as cancelled
        from (select package_id, ${day('created_at')} as day, 1 as ordered,
            (row_number() over (partition by member_id order by order_id) = 1)::integer as first_ordered, 0 as cancelled
          from orders
          union all select package_id, ${day('cancelled_at')}, 0, 0, 1 from orders where cancelled_at is not null) as steps
        group by package_id, day) as fold
      full join order_days as stored using (package_id, day)
      where (coalesce(fold.ordered, 0), coalesce(fold.first_ordered, 0), coalesce(fold.cancelled, 0)) is distinct from
        (coalesce(stored.ordered, 0), coalesce(stored.first_ordered, 0), coalesce(stored.cancelled, 0))`,
  ),
  auditQuery(
    'sales day',
    sql`select format('package %s %s: paid, base, USDT, AMC, RIF', package_id, day) as subject,
        concat_ws(' ', fold.paid, fold.base, fold.usdt, fold.amc, fold.rif) as expected,
        concat_ws(' ', stored.paid, base_micros, usdt_micros, amc_micros, rif_micros) as actual
      from (select package_id, ${day('collected_at')} as day, count(*) as paid,
          sum(price_micros - case when use_hash_rate then discount_micros else 0 end) as base,
          sum(case when use_hash_rate then discounted_usdt_micros else full_usdt_micros end) as usdt,
          sum(case when use_hash_rate then discounted_amc_micros else full_amc_micros end) as amc,
          sum(case when use_hash_rate then rif_micros else 0 end) as rif
        from orders where status = 'Paid' group by 1, 2) as fold
      full join sales_days as stored using (package_id, day)
      where (fold.paid, fold.base, fold.usdt, fold.amc, fold.rif)
        is distinct from (stored.paid, base_micros, usdt_micros, amc_micros, rif_micros)`,
  ),
]
