import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../books/ledger/audit.ts'

/** The expected postings of each completed conversion. */
const CONVERSIONS = sql`
  select member_id, conversion_id, line.asset, line.source, line.destination, line.amount,
    case source_asset when 'AMC' then 'hash_power_purchase' else 'exchange' end as kind
  from conversions, lateral (values
    (source_asset, 'available', 'revenue', paid_micros),
    (target_asset, 'external', 'available', received_micros)
  ) as line (asset, source, destination, amount)
  where done_at is not null`

const POSTED_CONVERSIONS = sql`
  select p.member_id, t.cause_id::bigint as conversion_id, p.kind, p.asset, p.source, p.destination, p.amount
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where p.kind in ('hash_power_purchase', 'exchange')`

/** Grants as approved and as posted. Grants of tests have other causes. */
const GRANTS = sql`
  select g.member_id, g.grant_id, g.amount_micros as amount from hash_power_grants as g where state = 'Approved'`
const POSTED_GRANTS = sql`
  select p.member_id, t.cause_id::bigint as grant_id, p.amount
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where p.kind = 'grant' and t.cause_type = 'hash-power'
    -- Grants of before they were prepared and approved are named in words.
    and t.cause_id ~ '^[0-9]+$'`

const DIVIDENDS = sql`
  select member_id, day, line.asset, line.amount
  from dividends, lateral (values ('USDT', usdt_micros), ('AMC', amc_micros)) as line (asset, amount)
  where line.amount > 0`
const POSTED_DIVIDENDS = sql`
  select member_id, accounting_day as day, asset, sum(amount) as amount from ledger_postings
  where kind = 'dividend' group by member_id, accounting_day, asset`

/** The expected movement of each part of a launch, by destination. */
const LAUNCHES = sql`
  select member_id, launch_id, step.destination, step.amount
  from vc_subscriptions, lateral (values
    ('locked', vc_micros), ('revenue', spent_micros), ('available', returned_micros)
  ) as step (destination, amount) where step.amount > 0`
const POSTED_LAUNCHES = sql`
  select p.member_id, t.cause_id::bigint as launch_id, p.destination, sum(p.amount) as amount
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where p.kind in ('vc_subscription', 'vc_allocation') group by p.member_id, t.cause_id, p.destination`

/** Checks that hash power, exchanges, dividends and launches agree with the ledger. Rules, section 11. */
export const EXCHANGE_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'conversion',
    sql`select format('member %s conversion %s: %s %s from %s to %s', member_id, conversion_id, kind, asset, source,
          destination) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${CONVERSIONS}) as e
      full join (${POSTED_CONVERSIONS}) as p
        using (member_id, conversion_id, kind, asset, source, destination)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'hash power grant',
    sql`select format('member %s grant %s', member_id, grant_id) as subject,
        coalesce(g.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${GRANTS}) as g full join (${POSTED_GRANTS}) as p using (member_id, grant_id)
      where coalesce(g.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'dividend',
    sql`select format('member %s day %s: dividend in %s', member_id, day, asset) as subject,
        coalesce(d.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${DIVIDENDS}) as d full join (${POSTED_DIVIDENDS}) as p using (member_id, day, asset)
      where coalesce(d.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'dividend day',
    sql`select format('day %s: what was shared, USDT and AMC', day) as subject,
        concat_ws(' ', f.usdt_micros, f.amc_micros) as expected,
        concat_ws(' ', coalesce(d.usdt, 0), coalesce(d.amc, 0)) as actual
      from dividend_days as f join settlement_days as s using (day)
      left join (select day, sum(usdt_micros) as usdt, sum(amc_micros) as amc from dividends group by day) as d
        using (day)
      where s.state = 'settled' and (f.usdt_micros, f.amc_micros) <> (coalesce(d.usdt, 0), coalesce(d.amc, 0))`,
  ),
  auditQuery(
    'launch part',
    sql`select format('member %s launch %s: VC to %s', member_id, launch_id, destination) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${LAUNCHES}) as e full join (${POSTED_LAUNCHES}) as p using (member_id, launch_id, destination)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'launch',
    sql`select format('launch %s: subscribed, and units within its allocation', launch_id) as subject,
        format('%s, within', subscribed_micros) as expected,
        format('%s, %s', coalesce(s.vc, 0), case when coalesce(s.units, 0) <= allocation_micros then 'within'
          else 'beyond' end) as actual
      from vc_launches
      left join (select launch_id, sum(vc_micros) as vc, sum(units_micros) as units,
          count(*) filter (where allotted_at is null) as open
        from vc_subscriptions group by launch_id) as s using (launch_id)
      where subscribed_micros is not null and (subscribed_micros <> coalesce(s.vc, 0)
        or coalesce(s.units, 0) > allocation_micros or (state = 'Allocated' and coalesce(s.open, 0) > 0))`,
  ),
]
