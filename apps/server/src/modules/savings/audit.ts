import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../books/ledger/audit.ts'

/** The expected postings of each transfer. */
const EXPECTED = sql`
  select member_id, transfer_id, step.kind, asset, amount_micros as amount
  from savings_transfers, lateral (values
    ('savings_in', direction = 'in'),
    ('savings_out', direction = 'out'),
    ('savings_arrival', direction = 'out' and arrived_at is not null)
  ) as step (kind, applies)
  where step.applies`

const POSTED = sql`
  select p.member_id, t.cause_id::bigint as transfer_id, p.kind, p.asset, p.amount
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where t.cause_type = 'savings_transfer'`

/** The change of each member's savings by accounting day, and the interest recorded for it. */
const DAYS = sql`
  select member_id, asset, day, sum(delta) as delta, sum(out) as out, max(principal) as principal
  from (
    select member_id, asset, accounting_day as day, case when destination = 'savings' then amount else -amount end as delta,
      case when kind = 'savings_out' then amount else 0 end as out, null::bigint as principal
    from ledger_postings where 'savings' in (source, destination)
    union all
    select member_id, asset, day, 0, 0, principal_micros from savings_interest
  ) as moved
  group by member_id, asset, day`

/** The days whose interest is fully posted: an open day is fixed, but possibly only partly posted. */
const SETTLED = sql`select day from settlement_days where state = 'settled'`

/** Checks that savings agree with the ledger, and interest with the rules. Rules, section 9. */
export const SAVINGS_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'savings transfer',
    sql`select format('member %s transfer %s: %s %s', member_id, transfer_id, kind, asset) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${EXPECTED}) as e full join (${POSTED}) as p using (member_id, transfer_id, kind, asset)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'savings leaving',
    sql`select format('member %s %s: on the way out of savings', member_id, asset) as subject,
        coalesce(leaving.amount, 0) as expected, coalesce(held.balance, 0) as actual
      from (select member_id, asset, sum(amount_micros) as amount from savings_transfers
        where arrived_at is null group by member_id, asset) as leaving
      full join (select member_id, asset, balance from ledger_balances where account = 'savings_leaving') as held
        using (member_id, asset)
      where coalesce(leaving.amount, 0) <> coalesce(held.balance, 0)`,
  ),
  auditQuery(
    'savings interest',
    sql`select format('member %s %s: interest of %s', member_id, asset, day) as subject,
        coalesce(recorded.amount, 0) as expected, coalesce(posted.amount, 0) as actual
      from (select member_id, asset, day, paid_micros as amount from savings_interest) as recorded
      full join (select member_id, asset, accounting_day as day, sum(amount) as amount from ledger_postings
        where kind = 'savings_interest' group by member_id, asset, accounting_day) as posted
        using (member_id, asset, day)
      where coalesce(recorded.amount, 0) <> coalesce(posted.amount, 0)`,
  ),
  auditQuery(
    'savings principal',
    sql`select format('member %s %s: principal of %s', member_id, asset, day) as subject,
        greatest(saved - out, 0) as expected, principal as actual
      from (select member_id, asset, day, out, principal, coalesce(sum(delta) over (partition by member_id, asset
          order by day rows between unbounded preceding and 1 preceding), 0) as saved
        from (${DAYS}) as days) as day
      where principal is not null and principal <> greatest(saved - out, 0)`,
  ),
  auditQuery(
    'savings due',
    sql`select format('member %s %s: due and paid for %s', i.member_id, i.asset, i.day) as subject,
        concat_ws(' ', div(i.principal_micros::numeric * b.rate_ppm, 365000000),
          div(i.due_micros::numeric * b.coverage_ppm, 1000000)) as expected,
        concat_ws(' ', i.due_micros, i.paid_micros) as actual
      from savings_interest as i join savings_batches as b using (day, asset)
      where i.due_micros <> div(i.principal_micros::numeric * b.rate_ppm, 365000000)
        or i.paid_micros <> div(i.due_micros::numeric * b.coverage_ppm, 1000000)`,
  ),
  auditQuery(
    'savings batch',
    sql`select format('interest of %s in %s: due, paid and number', day, asset) as subject,
        concat_ws(' ', b.due_micros, b.paid_micros, b.account_count) as expected,
        concat_ws(' ', coalesce(i.due, 0), coalesce(i.paid, 0), coalesce(i.count, 0)) as actual
      from (select * from savings_batches where day in (${SETTLED})) as b
      full join (select day, asset, sum(due_micros) as due, sum(paid_micros) as paid, count(*) as count
        from savings_interest where day in (${SETTLED}) group by day, asset) as i using (day, asset)
      where (b.due_micros, b.paid_micros, b.account_count::bigint) is distinct from (i.due, i.paid, i.count)`,
  ),
]
