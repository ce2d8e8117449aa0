-- The settlement of a day (rules, sections 5 and 6), and what it needs of the ledger: money set aside for a batch, and
-- postings for many members in one call.

-- What a settlement has fixed but not yet paid out is set aside, so that nobody else spends it meanwhile.
alter table ledger_pools add column reserved bigint not null default 0,
  add constraint ledger_pools_reserved check (reserved between 0 and balance);

drop function ledger_apply_pools;

-- Applies a transaction to the pools. They are locked. What leaves a pool comes out of what is set aside when
-- p_from_reserve, and otherwise leaves that alone.
create function ledger_apply_pools(
  p_accounting_day date, p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_from_reserve boolean default false
) returns void
language plpgsql as $$
declare
  v_net record;
  v_reserve bigint;
begin
  for v_net in
    select * from ledger_net(p_assets, p_sources, p_destinations, p_amounts)
    where account = any (ledger_pool_accounts()) and delta <> 0
  loop
    v_reserve := case when p_from_reserve then v_net.delta else 0 end;
    update ledger_pools set balance = balance + v_net.delta, reserved = reserved + v_reserve
    where account = v_net.account and asset = v_net.asset
      and reserved + v_reserve between 0 and balance + v_net.delta;
    if not found then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('%s has less than %s %s', v_net.account, -v_net.delta, v_net.asset);
    end if;
    insert into ledger_pool_days as days (account, asset, accounting_day, amount)
    values (v_net.account, v_net.asset, p_accounting_day, v_net.delta)
    on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount;
  end loop;
end $$;

-- Sets money of a pool aside for a batch. Raises RL001 when there is not as much free.
create function ledger_reserve(p_account text, p_asset text, p_amount bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ledger_pools set reserved = reserved + p_amount
  where account = p_account and asset = p_asset and p_amount >= 0 and reserved + p_amount <= balance;
  if not found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('%s has less than %s %s free', p_account, p_amount, p_asset);
  end if;
end $$;

-- Posts one transaction for each of many members, set-based, all under the same key (keys are unique per member): the
-- lines are parallel arrays, a member's transaction is that member's lines in their order. Returns how many
-- transactions were posted: all, or none when exactly these were posted before. Checks, locks and refusals are those
-- of ledger_post; a member's debits are held against the balance before the call. Nothing passes through clearing.
create function ledger_post_many(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_from_reserve boolean
) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_members bigint[] := array(select distinct member from unnest(p_members) as member order by member);
  v_touches_pools boolean := (p_sources || p_destinations) && ledger_pool_accounts();
  v_known bigint;
begin
  if 'clearing' = any (p_sources) or 'clearing' = any (p_destinations) then
    raise exception 'clearing is not for many' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if v_touches_pools then
    perform ledger_lock(p_sources || p_destinations, '{}');
  end if;
  insert into ledger_heads (member_id, seq)
  select member, 0 from unnest(v_members) as member on conflict (member_id) do nothing;
  perform from ledger_heads where member_id = any (v_members) order by member_id for update;

  select count(*) into v_known from ledger_transactions
  where member_id = any (v_members) and idempotency_key = p_key;
  if v_known > 0 then
    if (select count(*) from ledger_transactions as t
        join ledger_member_digests(p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations,
          p_amounts) as d on d.member_id = t.member_id and d.digest = t.content_digest
        where t.idempotency_key = p_key) < cardinality(v_members)
    then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
    end if;
    return 0;
  end if;

  update ledger_heads set seq = seq + 1 where member_id = any (v_members);
  insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id,
    accounting_day, posted_at)
  select d.member_id, head.seq, p_kind, p_key, d.digest, p_cause_type, p_cause_id, p_accounting_day, p_posted_at
  from ledger_member_digests(p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations,
    p_amounts) as d
  join ledger_heads as head using (member_id);
  insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
  select l.member, head.seq, row_number() over (partition by l.member order by l.ordinality), p_kind, l.asset,
    l.source, l.destination, l.amount, p_accounting_day
  from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
    as l (member, asset, source, destination, amount)
  join ledger_heads as head on head.member_id = l.member;
  perform ledger_apply_many(p_members, p_assets, p_sources, p_destinations, p_amounts);
  if v_touches_pools then
    perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts, p_from_reserve);
  end if;
  return cardinality(v_members);
end $$;

-- The content of each member's transaction of a call of ledger_post_many.
create function ledger_member_digests(
  p_kind text, p_cause_type text, p_cause_id text,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns table (member_id bigint, digest bytea)
language sql stable parallel safe
begin atomic
  select l.member, ledger_content_digest(p_kind, p_cause_type, p_cause_id,
    array_agg(l.member order by l.line), array_agg(l.asset order by l.line), array_agg(l.source order by l.line),
    array_agg(l.destination order by l.line), array_agg(l.amount order by l.line))
  from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
    as l (member, asset, source, destination, amount, line)
  group by l.member;
end;

-- Applies the lines of many members to their balances. Their heads are locked.
create function ledger_apply_many(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_short record;
begin
  select d.* into v_short
  from (
    select l.member, l.asset, l.source, sum(l.amount) as amount
    from unnest(p_members, p_assets, p_sources, p_amounts) as l (member, asset, source, amount)
    group by l.member, l.asset, l.source
  ) as d
  left join ledger_balances as b on b.member_id = d.member and b.asset = d.asset and b.account = d.source
  where ledger_account_class(d.source) = 'member' and coalesce(b.balance, 0) < d.amount
  limit 1;
  if found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail =
      format('member %s has less than %s in %s %s', v_short.member, v_short.amount, v_short.source, v_short.asset);
  end if;
  with net as materialized (
    select l.member, l.asset, side.account, sum(side.delta)::bigint as delta
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) as l (member, asset, source, destination, amount),
      lateral (values (l.source, -l.amount), (l.destination, l.amount)) as side (account, delta)
    group by l.member, l.asset, side.account
  ), updated as (
    update ledger_balances as b set balance = b.balance + net.delta
    from net where b.member_id = net.member and b.asset = net.asset and b.account = net.account
    returning b.member_id, b.asset, b.account
  )
  insert into ledger_balances (member_id, asset, account, balance)
  select net.member, net.asset, net.account, net.delta
  from net left join updated as u on u.member_id = net.member and u.asset = net.asset and u.account = net.account
  where u.member_id is null;
end $$;

revoke execute on function ledger_post_many, ledger_reserve from public;

-- The order in which orders were paid, over all members: a time does not tell it, two may have the same.
create sequence paid_sequence;
alter table orders add column paid_sequence bigint;
update orders set paid_sequence = numbered.place
from (
  select member_id, order_id, row_number() over (order by collected_at, order_id) as place
  from orders where status = 'Paid'
) as numbered
where numbered.member_id = orders.member_id and numbered.order_id = orders.order_id;
select setval('paid_sequence', coalesce(max(paid_sequence), 0) + 1, false) from orders;
alter table orders add check ((status = 'Paid') = (paid_sequence is not null));
create index orders_by_collection on orders (collected_at) where status = 'Paid';

-- The first day to be settled; one row.
create table settlement_start (
  first_day date primary key
);
create unique index settlement_one_start on settlement_start ((true));

-- A day on its way: `fixed` (its rows of reward_batches are written and their money is set aside), `staged` (each
-- member's part is written down), `settled`.
create table settlement_days (
  day date primary key,
  state text not null check (state in ('fixed', 'staged', 'settled')),
  -- USDT micro-units per AMC at the end of the day; null when none was ever published.
  amc_price_micros bigint check (amc_price_micros > 0),
  fixed_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'settled') = (settled_at is not null))
);
create unique index settlement_one_open_day on settlement_days ((true)) where state <> 'settled';

-- What carries a member from one settled day to the next, as of the last day in which it changed.
create table member_standings (
  member_id bigint primary key,
  -- The level at the end of that day; above 0 the member is valid.
  level smallint not null check (level between 0 and 5),
  carry_left_micros bigint not null check (carry_left_micros >= 0),
  carry_right_micros bigint not null check (carry_right_micros >= 0),
  manage_base_micros bigint not null check (manage_base_micros >= 0),
  -- The AMC that each coming day releases, of the parts that have begun and do not end that day.
  release_micros bigint not null check (release_micros >= 0)
) with (fillfactor = 70);

-- The open day's numbers, member by member; empty when no day is staged. A member's new standing and release ...
create table settlement_members (
  member_id bigint primary key,
  level smallint not null,
  carry_left_micros bigint not null,
  carry_right_micros bigint not null,
  manage_base_micros bigint not null,
  release_micros bigint not null,
  released_micros bigint not null
);

-- ... and its rewards; order_id is 0 where there is none.
create table settlement_rewards (
  member_id bigint not null,
  class text not null,
  order_id bigint not null,
  level smallint not null,
  base_micros bigint not null,
  ratio_ppm integer not null,
  value_micros bigint not null,
  flushed_micros bigint not null,
  paid_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null,
  primary key (member_id, class, order_id)
);

-- The ranges of members in which a day is posted: each in one transaction, which also sets posted_at.
create table settlement_ranges (
  day date not null references settlement_days,
  range_id integer not null,
  first_member_id bigint not null,
  last_member_id bigint not null,
  posted_at timestamptz,
  primary key (day, range_id)
);

-- Pauses and resumptions of the management award; the last one before a time says what held then.
create table management_switches (
  member_id bigint not null,
  switch_id bigint generated always as identity,
  paused boolean not null,
  switched_at timestamptz not null,
  primary key (member_id, switch_id)
);
create trigger append_only before update or delete or truncate on management_switches
  for each statement execute function refuse_change();

-- Money the operator earned elsewhere and paid in (rules, section 2), told by one admin and approved by another.
create table attestations (
  attestation_id bigint generated always as identity primary key,
  pool text not null check (pool in ('yield_pool', 'savings_pool', 'dividend_pool')),
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  source text not null check (source <> ''),
  document_hash text not null check (document_hash ~ '^0x[0-9a-f]{64}$'),
  -- The deposit on chain that brought it; each serves one attestation.
  deposit_id text not null unique,
  prepared_by text not null,
  prepared_at timestamptz not null,
  approved_by text check (approved_by <> prepared_by),
  approved_at timestamptz,
  check ((approved_by is null) = (approved_at is null))
);

-- What came in on chain as revenue, by final events of the bank.
create table revenue_deposits (
  deposit_id text primary key,
  depositor text not null,
  label text not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros >= 0),
  dust numeric(78) not null,
  document_hash text not null,
  tx_hash text not null,
  deposited_at timestamptz not null
);
create trigger append_only before update or delete or truncate on revenue_deposits
  for each statement execute function refuse_change();

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    grant execute on function ledger_post_many, ledger_reserve to rif_app;
    grant truncate on settlement_members, settlement_rewards to rif_app;
    grant usage on sequence paid_sequence to rif_app;
  end if;
end $$;

-- Whose last part of locked AMC is released on a day (rules, section 6).
create index rewards_by_release_end on rewards ((day + release_parts)) where amc_micros > 0;
