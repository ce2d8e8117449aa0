-- Sums by day, so that no page of the operator adds up members, orders or postings. Each is written by the transaction
-- that does what it counts, or folded from rows that such a transaction wrote; `rif audit` works all of them out again.

-- What was posted on each accounting day from which account to which. Every figure of the books follows from it: a
-- balance at the end of a day is what came in up to then less what went out.
create table ledger_flow_days (
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  -- More than any single amount can be.
  amount numeric(40) not null check (amount > 0),
  postings bigint not null check (postings > 0),
  primary key (accounting_day, kind, asset, source, destination)
);
create trigger keep_rows before delete or truncate on ledger_flow_days
  for each statement execute function ledger_refuse_change();

-- What has been posted and not yet been added there. Rows are only ever appended, so members who post at the same moment
-- do not wait for each other, as they would for the one row of a day; without an index, because the only question is
-- "all of them".
create table ledger_flow_deltas (
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  amount numeric(40) not null,
  postings bigint not null
);

-- Exact at every moment, folded or not.
create view ledger_flow_sums as
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_days
  union all
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_deltas;

-- Adds what has been posted to the days, and returns how many rows that was. Killed, it has done nothing; of two at once
-- one does nothing.
create function ledger_fold_flows() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_folded bigint;
begin
  -- 'flow' as a number: no other advisory lock of this database uses it.
  if not pg_try_advisory_xact_lock(x'666c6f77'::bigint) then
    return 0;
  end if;
  with taken as (
    delete from ledger_flow_deltas returning *
  ), folded as (
    insert into ledger_flow_days as days (accounting_day, kind, asset, source, destination, amount, postings)
    select accounting_day, kind, asset, source, destination, sum(amount), sum(postings)
    from taken group by accounting_day, kind, asset, source, destination
    on conflict (accounting_day, kind, asset, source, destination)
    do update set amount = days.amount + excluded.amount, postings = days.postings + excluded.postings
  )
  select count(*) into v_folded from taken;
  return v_folded;
end $$;
revoke execute on function ledger_fold_flows from public;

-- The two functions that post tell what they posted, as their last act.
do $migration$
declare
  v_change record;
  v_source text;
begin
  for v_change in
    select * from (values
      ('ledger_post', '  return true;',
       'select p_accounting_day, p_kind, l.asset, l.source, l.destination, l.amount, 1
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount);'),
      ('ledger_post_many', '  return cardinality(v_members);',
       'select p_accounting_day, p_kind, l.asset, l.source, l.destination, sum(l.amount), count(*)
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount)
  group by l.asset, l.source, l.destination;')
    ) as changes (name, last_line, lines)
  loop
    select pg_get_functiondef(oid) into strict v_source from pg_proc
    where proname = v_change.name and pronamespace = 'public'::regnamespace;
    if length(v_source) - length(replace(v_source, v_change.last_line, '')) <> length(v_change.last_line) then
      raise exception '% does not end as this migration knows it', v_change.name;
    end if;
    execute replace(v_source, v_change.last_line,
      '  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  ' || v_change.lines || E'\n' || v_change.last_line);
  end loop;
end $migration$;

-- Nobody posts by the old functions while what they posted is added up.
lock table ledger_postings in share mode;
insert into ledger_flow_days (accounting_day, kind, asset, source, destination, amount, postings)
select accounting_day, kind, asset, source, destination, sum(amount), count(*)
from ledger_postings group by accounting_day, kind, asset, source, destination;

-- Who joined and who became valid on each UTC day, and how many stand on each level. Written under the placement lock,
-- which every sign-up and every paid order holds anyway.
create table member_days (
  day date primary key,
  joined bigint not null default 0 check (joined >= 0),
  became_valid bigint not null default 0 check (became_valid >= 0)
);
create table member_levels (
  level smallint primary key check (level between 0 and 5),
  members bigint not null check (members >= 0)
);
insert into member_days (day, joined, became_valid)
select day, sum(joined), sum(became_valid) from (
  select (joined_at at time zone 'UTC')::date as day, 1 as joined, 0 as became_valid from members
  union all
  select (valid_at at time zone 'UTC')::date, 0, 1 from members where valid_at is not null
) as happened group by day;
insert into member_levels (level, members)
select level, count(members.member_id) from generate_series(0, 5) as level left join members using (level) group by level;

-- Orders made and cancelled by package and UTC day; written under the package's row. `first_ordered` of them were the
-- member's first.
create table order_days (
  package_id smallint not null,
  day date not null,
  ordered bigint not null default 0,
  first_ordered bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (package_id, day)
);
-- Orders collected; written under the placement lock. What they brought in before it was shared out.
create table sales_days (
  package_id smallint not null,
  day date not null,
  paid bigint not null,
  base_micros numeric(40) not null,
  usdt_micros numeric(40) not null,
  amc_micros numeric(40) not null,
  rif_micros numeric(40) not null,
  primary key (package_id, day)
);
insert into order_days (package_id, day, ordered, first_ordered, cancelled)
select package_id, day, sum(ordered), sum(first_ordered), sum(cancelled) from (
  select package_id, (created_at at time zone 'UTC')::date as day, 1 as ordered,
    (row_number() over (partition by member_id order by order_id) = 1)::integer as first_ordered, 0 as cancelled
  from orders
  union all
  select package_id, (cancelled_at at time zone 'UTC')::date, 0, 0, 1 from orders where status = 'Cancelled'
) as happened group by package_id, day;
insert into sales_days (package_id, day, paid, base_micros, usdt_micros, amc_micros, rif_micros)
select package_id, (collected_at at time zone 'UTC')::date, count(*),
  sum(price_micros - case when use_hash_rate then discount_micros else 0 end),
  sum(case when use_hash_rate then discounted_usdt_micros else full_usdt_micros end),
  sum(case when use_hash_rate then discounted_amc_micros else full_amc_micros end),
  sum(case when use_hash_rate then rif_micros else 0 end)
from orders where status = 'Paid' group by 1, 2;

-- Wallets that were no member and asked to sign in: once a day each. What is deleted of the nonces is kept as a number.
alter table sign_in_nonces add column visit_day date;
create index sign_in_nonces_visits on sign_in_nonces (visit_day, address) where visit_day is not null;
create table sign_in_days (
  day date primary key,
  visitors bigint not null
);

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    revoke insert, update, delete on ledger_flow_days, ledger_flow_deltas from rif_app;
    grant execute on function ledger_fold_flows to rif_app;
  end if;
end $$;
