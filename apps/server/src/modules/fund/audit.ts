import { OPEN_REDEMPTION_STATUSES } from '@rif/rules'
import { sql } from 'kysely'
import { type AuditCheck, auditQuery } from '../books/ledger/audit.ts'

/** The postings of each purchase and redemption, by account. */
const POSTED = sql`
  select member_id, cause_type, cause_id::bigint as id, source, destination, sum(amount) as amount
  from ledger_standing where kind in ('fund_purchase', 'fund_redemption')
  group by member_id, cause_type, cause_id, source, destination`

/** The expected postings of a paid purchase: to the custody of its own product only. */
const PURCHASES = sql`
  select member_id, 'fund_order' as cause_type, order_id as id,
    case payment_method when 'wallet' then 'external' else 'available' end as source, part.destination,
    part.amount::numeric as amount
  from fund_orders, lateral (values
    ('fund_custody:' || product_id::text, units::numeric * nav_micros), ('fees', fee_micros)
  ) as part (destination, amount)
  where paid_at is not null and part.amount > 0`

/** The expected change of each account by a completed redemption. */
const REDEMPTIONS = sql`
  select member_id, redemption_id, part.account, part.amount
  from (select *, units::numeric * nav_micros as value_micros,
      redemption_fee_micros + management_fee_micros as fee_micros from fund_redemptions where status = 'Completed') as r,
    lateral (values
      ('fund_custody:' || product_id::text, -value_micros),
      ('available', value_micros - fee_micros), ('fees', fee_micros::numeric)
    ) as part (account, amount)
  where part.amount <> 0`

const PAID_OUT = sql`
  select member_id, t.cause_id::bigint as redemption_id, side.account, sum(side.amount) as amount
  from ledger_postings as p join ledger_transactions as t using (member_id, seq),
    lateral (values (p.source, -p.amount), (p.destination, p.amount)) as side (account, amount)
  where p.kind = 'fund_redemption' group by member_id, t.cause_id, side.account having sum(side.amount) <> 0`

/** The investments and divestments of each product according to the records. */
const PLACED = sql`
  select product_id, 'fund_invest' as kind, sum(cost_micros) as amount from fund_investments
  where state in ('invested', 'ended') group by product_id
  union all
  select product_id, 'fund_divest', sum(amount_micros) from fund_valuations
  where state = 'applied' and amount_micros > 0 group by product_id`

/** The same according to the ledger. */
const MOVED_INVESTMENTS = sql`
  select substring(concat(source, destination) from 'fund_custody:([0-9]+)')::bigint as product_id, kind,
    sum(amount) as amount
  from ledger_standing where kind in ('fund_invest', 'fund_divest') group by product_id, kind`

/** The ledger's movements of a member and month, by figure of the bill. */
const MOVED = sql`
  select member_id, to_char(accounting_day, 'YYYY-MM') as month, figure, sum(amount) as amount
  from (select member_id, accounting_day, amount, case
      when kind = 'fund_purchase' then case destination when 'fees' then 'subscription_fees' else 'purchased_value' end
      when kind = 'fund_redemption' and destination in ('available', 'fees') then 'redeemed_value'
      when kind = 'fund_income' then 'income'
      when kind = 'fund_income_transfer' then 'income_moved' end as figure
    from ledger_standing where kind like 'fund\\_%') as movement
  where figure is not null group by member_id, month, figure`

const BILLED = sql`
  select member_id, month, figure, (bill::jsonb ->> figure)::numeric * 1000000 as amount
  from fund_bills, unnest(array['purchased_value', 'subscription_fees', 'redeemed_value', 'income', 'income_moved'])
    as figure`

/** Checks that purchases, redemptions, investments, income and bills agree with the ledger, and that units are covered. Rules, section 8. */
export const FUND_CHECKS: readonly AuditCheck[] = [
  auditQuery(
    'fund purchase',
    sql`select format('member %s fund order %s: %s > %s', member_id, id, source, destination) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${PURCHASES}) as e
      full join (select * from (${POSTED}) as posted where cause_type = 'fund_order') as p
        using (member_id, cause_type, id, source, destination)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'fund redemption',
    sql`select format('member %s redemption %s: %s', member_id, redemption_id, account) as subject,
        coalesce(e.amount, 0) as expected, coalesce(p.amount, 0) as actual
      from (${REDEMPTIONS}) as e full join (${PAID_OUT}) as p using (member_id, redemption_id, account)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'fund investment',
    sql`select format('product %s: %s', product_id, kind) as subject, coalesce(e.amount, 0) as expected,
        coalesce(p.amount, 0) as actual
      from (${PLACED}) as e full join (${MOVED_INVESTMENTS}) as p using (product_id, kind)
      where coalesce(e.amount, 0) <> coalesce(p.amount, 0)`,
  ),
  auditQuery(
    'fund assets',
    sql`select format('product %s: announced and invested', product_id) as subject,
        concat_ws(' ', coalesce(i.announced, 0), coalesce(i.value, 0)) as expected,
        concat_ws(' ', announced_micros, invested_micros) as actual
      from fund_products
      left join (select product_id, sum(cost_micros) filter (where state = 'announced') as announced,
          sum(value_micros) filter (where state = 'invested') as value
        from fund_investments group by product_id) as i using (product_id)
      where (coalesce(i.announced, 0), coalesce(i.value, 0)) <> (announced_micros, invested_micros)
      union all
      select format('product %s: NAV', product_id), last.nav_micros::text, p.nav_micros::text
      from fund_products as p cross join lateral (select nav_micros from fund_navs where product_id = p.product_id
        order by published_at desc, nav_id desc limit 1) as last
      where last.nav_micros <> p.nav_micros`,
  ),
  auditQuery(
    'fund backing',
    sql`select format('product %s: units at the NAV, and net assets', product_id) as subject,
        (nav_micros::numeric * units_outstanding)::text as expected, (balance::numeric + invested_micros)::text as actual
      from fund_products
      join ledger_pool_sums on account = format('fund_custody:%s', product_id) and asset = 'USDT'
      where nav_micros::numeric * units_outstanding > balance::numeric + invested_micros
        or announced_micros > balance
      union all
      select format('product %s: cash without units and investments', product_id), announced_micros::text, balance::text
      from fund_products
      join ledger_pool_sums on account = format('fund_custody:%s', product_id) and asset = 'USDT'
      where units_outstanding = 0 and not is_invested and balance <> announced_micros`,
  ),
  auditQuery(
    'fund units',
    sql`select format('product %s: units outstanding', product_id) as subject,
        coalesce(held.units, 0)::text as expected, units_outstanding::text as actual
      from fund_products
      left join (select product_id, sum(units_left) as units from fund_orders group by product_id) as held
        using (product_id)
      where coalesce(held.units, 0) <> units_outstanding
      union all
      select format('member %s fund order %s: units redeemed and being redeemed', member_id, order_id),
        concat_ws(' ', coalesce(taken.paid, 0), coalesce(taken.reserved, 0)),
        concat_ws(' ', case when paid_at is null then 0 else units - units_left end, units_reserved)
      from fund_orders
      left join (select lot.member_id, lot.order_id,
          coalesce(sum(lot.units) filter (where status = 'Completed'), 0) as paid,
          coalesce(sum(lot.units) filter (where status = any (${OPEN_REDEMPTION_STATUSES}::text[])), 0) as reserved
        from fund_redemption_lots as lot join fund_redemptions using (member_id, redemption_id)
        group by lot.member_id, lot.order_id) as taken using (member_id, order_id)
      where (case when paid_at is null then 0 else units - units_left end, units_reserved)
        <> (coalesce(taken.paid, 0), coalesce(taken.reserved, 0))`,
  ),
  auditQuery(
    'fund queue',
    sql`with places as materialized (
        select product_id, approval_place, status, units, paid_at, cancelled_at from fund_redemptions
        where approval_place is not null
      )
      select format('product %s: redemptions approved and waiting, units of these', product_id) as subject,
        concat_ws(' ', coalesce(q.approved, 0), coalesce(q.waiting, 0), coalesce(q.units, 0)) as expected,
        concat_ws(' ', redemptions_approved, redemptions_waiting, units_approved) as actual
      from fund_products
      left join (select product_id, count(*) as approved, count(*) filter (where status = 'Approved') as waiting,
          sum(units) filter (where status = 'Approved') as units
        from places group by product_id) as q using (product_id)
      where (coalesce(q.approved, 0), coalesce(q.waiting, 0), coalesce(q.units, 0))
        <> (redemptions_approved, redemptions_waiting, units_approved)
      union all
      select format('product %s: a redemption overtook that of place %s', late.product_id, late.approval_place),
        'waits', 'paid'
      from places as late join places as paid on paid.product_id = late.product_id
        and paid.approval_place > late.approval_place and paid.status = 'Completed'
        and paid.paid_at < coalesce(late.paid_at, late.cancelled_at, 'infinity')
      where late.status in ('Approved', 'Completed')
        and paid.approval_place = late.approval_place + 1`,
  ),
  auditQuery(
    'fund income',
    sql`select format('member %s: fund income', member_id) as subject,
        coalesce(recorded.amount, 0) as expected, coalesce(posted.amount, 0) as actual
      from (select member_id, sum(amount_micros) as amount from fund_income group by member_id) as recorded
      full join (select member_id, sum(amount) as amount from ledger_postings where kind = 'fund_income'
        group by member_id) as posted using (member_id)
      where coalesce(recorded.amount, 0) <> coalesce(posted.amount, 0)`,
  ),
  auditQuery(
    'fund bill',
    sql`with figures as materialized (
        select member_id, month, figure, coalesce(moved.amount, 0) as moved, coalesce(billed.amount, 0)::bigint as billed
        from (${BILLED}) as billed full join (${MOVED}) as moved using (member_id, month, figure)
        where coalesce(billed.amount, 0) <> coalesce(moved.amount, 0)
      )
      select format('member %s bill %s: %s', member_id, month, figure) as subject, moved as expected, billed as actual
      from figures join fund_bill_runs as run using (month) where finished_at is not null`,
  ),
  auditQuery(
    'fund bill text',
    sql`select format('member %s bill %s: digest', member_id, month) as subject,
        encode(digest, 'hex') as expected, encode(sha256(convert_to(bill, 'UTF8')), 'hex') as actual
      from fund_bills where digest <> sha256(convert_to(bill, 'UTF8'))`,
  ),
]
