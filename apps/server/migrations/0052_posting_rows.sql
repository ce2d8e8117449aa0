-- Fewer rows and statements for each posting, and payments into a pool that do not wait for each other (decisions 3, 13).

-- Waits for the postings under way, which write a balance of `clearing`, and keeps others out until the functions are new.
lock table ledger_flow_deltas in access exclusive mode;

-- `clearing` nets to zero in each transaction and is nobody's money, so it has no balances: a sum over postings says what passed
-- through it.
alter table ledger_balances disable trigger keep_rows;
delete from ledger_balances where account = 'clearing';
alter table ledger_balances enable trigger keep_rows;

-- Money that came into a pool and is not yet added to its row. Like a flow delta it is only appended, so two payments do not wait
-- for each other. It is added by whoever holds the lock of the pool's row: the worker, or a spender who needs it.
create table ledger_pool_credits (
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null check (amount > 0)
);

-- Exact at any time, whether the credits are folded or not.
create view ledger_pool_sums as
  select p.account, p.asset, (p.balance + coalesce(c.amount, 0))::bigint as balance, p.reserved
  from ledger_pools as p
  left join (select account, asset, sum(amount) as amount from ledger_pool_credits group by account, asset) as c
    using (account, asset);
create view ledger_pool_day_sums as
  select account, asset, accounting_day, sum(amount)::bigint as amount
  from (
    select account, asset, accounting_day, amount from ledger_pool_days
    union all
    select account, asset, accounting_day, amount from ledger_pool_credits
  ) as parts
  group by account, asset, accounting_day;

-- A posting and its transaction are written by one call of one function, and a reversal looks its transaction up, so their foreign
-- keys found nothing and locked a row for each posting. The audit compares them (`transaction`, `reversal`).
alter table ledger_postings
  drop constraint ledger_postings_member_id_seq_fkey,
  -- The flow names the asset.
  drop constraint ledger_postings_asset_check;
alter table ledger_transactions
  drop constraint ledger_transactions_member_id_reverses_seq_fkey,
  drop constraint ledger_transactions_member_id_reverses_seq_key;
-- Reversals only: the index of all transactions was written with each.
create unique index ledger_transactions_reverses on ledger_transactions (member_id, reverses_seq)
  where reverses_seq is not null;

-- Returns whether the flow table allows a posting. `X:reversal` may do what X may, in the opposite direction; that it
-- mirrors a transaction is checked when it is posted. No part of a flow contains a space or '>', so the joined text is
-- unambiguous. Nearly all flows are in the list as they are, so that one expression decides.
create or replace function ledger_flow_allowed(kind text, asset text, source text, destination text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if array_position(public.ledger_flow_list(), kind || ' ' || asset || ' ' || source || '>' || destination) is not null then
    return true;
  end if;
  declare
    v_source text := regexp_replace(source, '^fund_custody:[0-9]+$', 'fund_custody');
    v_destination text := regexp_replace(destination, '^fund_custody:[0-9]+$', 'fund_custody');
  begin
    return array_position(public.ledger_flow_list(), case
      when kind like '%:reversal' then left(kind, -9) || ' ' || asset || ' ' || v_destination || '>' || v_source
      else kind || ' ' || asset || ' ' || v_source || '>' || v_destination
    end) is not null;
  end;
end $$;

-- Returns whether an account has balances and may have this one: a member's account is never negative. One expression, because it
-- is prepared anew in each database transaction. The accounts are those of ledger_account_class without `clearing`.
create or replace function ledger_balance_allowed(account text, balance bigint) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return account in ('available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income') and balance >= 0
    or account in ('external', 'shortfall', 'revenue', 'fees') or account = any (public.ledger_pool_accounts())
    or account ~ '^fund_custody:[1-9][0-9]{0,17}$';
end $$;

-- Adds the credits of a pool to its row and its days. The caller holds the lock of the row, and nobody else removes them.
create function ledger_fold_pool(p_account text, p_asset text) returns void
language sql as $$
  with taken as (
    delete from ledger_pool_credits where account = p_account and asset = p_asset returning accounting_day, amount
  ), days as (
    insert into ledger_pool_days as days (account, asset, accounting_day, amount)
    select p_account, p_asset, accounting_day, sum(amount) from taken group by accounting_day
    on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount
  )
  update ledger_pools set balance = balance + (select sum(amount) from taken)
  where account = p_account and asset = p_asset and exists (select from taken);
$$;

-- Adds the credits of all pools whose row nobody holds. Any number of processes may call it at the same time.
create function ledger_fold_pools() returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_pool record;
begin
  for v_pool in select distinct account, asset from ledger_pool_credits order by account, asset loop
    perform from ledger_pools where account = v_pool.account and asset = v_pool.asset for no key update skip locked;
    if found then
      perform ledger_fold_pool(v_pool.account, v_pool.asset);
    end if;
  end loop;
end $$;

-- Appends what lines pay into pools. It locks nothing.
create function ledger_credit_pools(p_accounting_day date, p_assets text[], p_destinations text[], p_amounts bigint[])
returns void
language plpgsql as $$
declare
  v_credited int;
begin
  insert into ledger_pool_credits (account, asset, accounting_day, amount)
  select l.account, l.asset, p_accounting_day, l.amount
  from unnest(p_destinations, p_assets, p_amounts) as l (account, asset, amount)
  join ledger_pools as p on p.account = l.account and p.asset = l.asset;
  get diagnostics v_credited = row_count;
  if v_credited < (select count(*) from unnest(p_destinations) as account where ledger_account_class(account) = 'pool') then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = 'a pool does not exist';
  end if;
end $$;

-- Applies lines that spend a pool's money to the rows of pools, which the caller has locked. Credits that others appended are
-- added first when the row alone has too little. Raises RL001.
create or replace function ledger_apply_pools(
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
    where ledger_account_class(account) = 'pool' and delta <> 0
  loop
    v_reserve := case when p_from_reserve then v_net.delta else 0 end;
    for v_attempt in 1..2 loop
      update ledger_pools set balance = balance + v_net.delta, reserved = reserved + v_reserve
      where account = v_net.account and asset = v_net.asset
        and reserved + v_reserve between 0 and balance + v_net.delta;
      exit when found;
      if v_attempt = 2 then
        raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
          detail = format('%s has less than %s %s', v_net.account, -v_net.delta, v_net.asset);
      end if;
      perform ledger_fold_pool(v_net.account, v_net.asset);
    end loop;
    insert into ledger_pool_days as days (account, asset, accounting_day, amount)
    values (v_net.account, v_net.asset, p_accounting_day, v_net.delta)
    on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount;
  end loop;
end $$;

-- Sets money of a pool aside for a batch. Raises RL001 when less is free.
create or replace function ledger_reserve(p_account text, p_asset text, p_amount bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from ledger_pools where account = p_account and asset = p_asset for no key update;
  perform ledger_fold_pool(p_account, p_asset);
  update ledger_pools set reserved = reserved + p_amount
  where account = p_account and asset = p_asset and p_amount >= 0 and reserved + p_amount <= balance;
  if not found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('%s has less than %s %s free', p_account, p_amount, p_asset);
  end if;
end $$;

-- Applies a line to the member's balances. The caller holds the lock of the member's head, so no other transaction can write
-- between the update and the insert. Raises RL001.
create or replace function ledger_move(p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint)
returns void
language plpgsql as $$
declare
  v_sides int := case when p_source = 'clearing' or p_destination = 'clearing' then 1 else 2 end;
  v_moved int;
  v_opened int;
begin
  update ledger_balances set balance = balance + case account when p_source then -p_amount else p_amount end
  where member_id = p_member and asset = p_asset and account in (p_source, p_destination)
    and (account <> p_source or balance >= p_amount or ledger_account_class(account) <> 'member');
  get diagnostics v_moved = row_count;
  if v_moved < v_sides then
    insert into ledger_balances (member_id, asset, account, balance)
    select p_member, p_asset, side.account, side.delta
    from (values (p_source, -p_amount), (p_destination, p_amount)) as side (account, delta)
    where side.account <> 'clearing' and (side.delta > 0 or ledger_account_class(side.account) <> 'member')
    on conflict (member_id, asset, account) do nothing;
    get diagnostics v_opened = row_count;
    if v_moved + v_opened < v_sides then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('member %s has less than %s in %s %s', p_member, p_amount, p_source, p_asset);
    end if;
  end if;
end $$;

-- Returns the kinds whose lines are all checked at the end of the database transaction.
create function ledger_guarded_kinds() returns text[]
language sql immutable parallel safe
return array['reversal_advance', 'shortfall_cover', 'exit_hold', 'exit_release', 'treasury_payout', 'fund_invest', 'fund_divest'];

-- Returns whether the lines of a transaction are checked at the end of the database transaction.
create or replace function ledger_is_guarded(p_kind text, p_sources text[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return p_kind = any (ledger_guarded_kinds()) or array_to_string(p_sources, ' ') like '%fund\_custody:%';
end $$;

-- Posts one transaction, given as parallel arrays with one element for each line. Returns true when it was posted, and
-- false when the same transaction had been posted before. Locks the pools that it spends from, then heads in ascending order.
-- Raises RL001 (a member's account or a pool has too little), RL002 (the key was used for another content) or RL003 (clearing does
-- not net to zero, or the columns differ in length), and the errors of the functions above. A line outside the flow table, an unknown
-- asset and an amount of zero violate a check. A transaction that is known is not checked again.
--
-- An expression costs about as much as the write of a row, because plpgsql prepares each anew in every database transaction. So one
-- expression tells the usual posting, which needs no further check, from all others.
create or replace function ledger_post(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_reverses_key text default null
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_digest bytea := ledger_content_digest(
    p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations, p_amounts);
  v_count int := cardinality(p_members);
  -- The two halves of a transfer.
  v_is_transfer boolean := v_count = 2 and p_members[1] <> p_members[2]
    and p_destinations[1] = 'clearing' and p_sources[2] = 'clearing'
    and p_assets[1] = p_assets[2] and p_amounts[1] = p_amounts[2];
  -- Lines that touch no pool, no shares and no money that a trigger watches.
  v_is_plain boolean := coalesce(p_reverses_key is null
    and array[cardinality(p_assets), cardinality(p_sources), cardinality(p_destinations), cardinality(p_amounts)]
      = array[v_count, v_count, v_count, v_count]
    and p_sources || p_destinations
      <@ '{available,locked,withdrawing,savings,savings_leaving,fund_income,external,revenue,fees,clearing}'
    and p_assets <@ '{USDT,AMC,RIF}' and p_kind <> 'grant' and p_kind <> all (ledger_guarded_kinds())
    and (v_is_transfer or not 'clearing' = any (p_sources || p_destinations)), false);
  v_spends_pools boolean := false;
  v_members bigint[];
  v_seqs bigint[];
  v_reversed bigint[];
  v_member bigint;
  v_seq bigint;
  v_written int;
  v_opened int;
  -- An expression runs without a plan of its own, which costs a tenth of `perform`.
  v_done text;
begin
  if not v_is_plain then
    if not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) then
      raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
    end if;
    if 'clearing' = any (p_sources || p_destinations) then
      perform from ledger_net(p_assets, p_sources, p_destinations, p_amounts) where account = 'clearing' and delta <> 0;
      if found then
        raise exception 'clearing does not net to zero' using errcode = 'RL003', detail = format('key %s', p_key);
      end if;
    end if;
    v_spends_pools := ledger_touches_pools(p_sources);
    if v_spends_pools then
      v_done := ledger_lock(p_sources || p_destinations, '{}');
    end if;
  end if;

  -- Nearly all transactions have one line or two, whose order needs no statement.
  if v_count <= 2 then
    v_members := case
      when p_members[1] = p_members[v_count] then p_members[1:1]
      when p_members[1] > p_members[2] then array[p_members[2], p_members[1]]
      else p_members
    end;
  else
    v_members := array(select distinct member from unnest(p_members) as member order by member);
  end if;
  foreach v_member in array v_members loop
    update ledger_heads set seq = seq + 1 where member_id = v_member returning seq into v_seq;
    if not found then
      insert into ledger_heads as head (member_id, seq) values (v_member, 1)
      on conflict (member_id) do update set seq = head.seq + 1
      returning seq into v_seq;
    end if;
    v_seqs := v_seqs || v_seq;
    if p_reverses_key is not null then
      v_reversed := v_reversed || ledger_mirrored(v_member, p_reverses_key, p_kind,
        p_members, p_assets, p_sources, p_destinations, p_amounts);
    end if;
  end loop;
  insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id,
    accounting_day, posted_at, reverses_seq)
  select l.member, l.seq, p_kind, p_key, v_digest, p_cause_type, p_cause_id, p_accounting_day, p_posted_at, l.reversed
  from unnest(v_members, v_seqs, v_reversed) as l (member, seq, reversed)
  on conflict (member_id, idempotency_key) do nothing;
  get diagnostics v_written = row_count;

  -- The checks of ledger_enter_day for a day after the last settled one, by the database's clock, in one expression. Each
  -- that fails is left to that function.
  if (case
    when v_written = cardinality(v_members)
      and p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp() + interval '1 second'
      and current_setting('transaction_isolation') = 'read committed'
      and pg_try_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01')
    then p_accounting_day - date '2000-01-01' > pg_sequence_last_value('ledger_settled_day')
  end) is not true
  then
    if v_written < cardinality(v_members) then
      -- The digest covers the lines of every member, so the first member decides.
      perform from ledger_transactions
      where member_id = v_members[1] and idempotency_key = p_key and content_digest = v_digest;
      if not found or v_written > 0 then
        raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
      end if;
      foreach v_member in array v_members loop
        update ledger_heads set seq = seq - 1 where member_id = v_member;
      end loop;
      return false;
    end if;
    v_done := ledger_enter_day(p_accounting_day, p_posted_at);
  end if;

  insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
  select l.member, v_seqs[array_position(v_members, l.member)], l.line, p_kind, l.asset, l.source, l.destination, l.amount,
    p_accounting_day
  from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
    as l (member, asset, source, destination, amount, line);
  if v_is_plain and (v_count = 1 or v_is_transfer) then
    -- The first line's source and the last line's destination: what is between them is `clearing`, or nothing.
    update ledger_balances as b set balance = b.balance + side.delta
    from (values (p_members[1], p_assets[1], p_sources[1], -p_amounts[1]),
      (p_members[v_count], p_assets[1], p_destinations[v_count], p_amounts[1])) as side (member, asset, account, delta)
    where b.member_id = side.member and b.asset = side.asset and b.account = side.account
      and (side.delta > 0 or b.balance + side.delta >= 0 or ledger_account_class(side.account) <> 'member');
    get diagnostics v_written = row_count;
    if v_written < 2 then
      insert into ledger_balances (member_id, asset, account, balance)
      select side.member, p_assets[1], side.account, side.delta
      from (values (p_members[1], p_sources[1], -p_amounts[1]),
        (p_members[v_count], p_destinations[v_count], p_amounts[1])) as side (member, account, delta)
      where side.delta > 0 or ledger_account_class(side.account) <> 'member'
      on conflict (member_id, asset, account) do nothing;
      get diagnostics v_opened = row_count;
      if v_written + v_opened < 2 then
        raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = format(
          'member %s has less than %s in %s %s', p_members[1], p_amounts[1], p_sources[1], p_assets[1]);
      end if;
    end if;
  else
    for v_line in 1..v_count loop
      v_done := ledger_move(
        p_members[v_line], p_assets[v_line], p_sources[v_line], p_destinations[v_line], p_amounts[v_line]);
    end loop;
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, l.amount, 1
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount);
  if v_is_plain then
    return true;
  end if;

  if p_kind = 'attested_revenue' then
    perform ledger_require_attestation(p_key, p_kind, p_cause_type, p_cause_id,
      p_members, p_assets, p_destinations, p_amounts);
  elsif p_kind = 'grant' then
    perform ledger_require_grant(p_assets);
  end if;
  if v_spends_pools then
    v_done := ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  elsif ledger_touches_pools(p_destinations) then
    v_done := ledger_credit_pools(p_accounting_day, p_assets, p_destinations, p_amounts);
  end if;
  if ledger_is_guarded(p_kind, p_sources) then
    perform ledger_guard(p_key, p_members);
    if p_kind in ('treasury_payout', 'exit_hold') then
      perform ledger_require_operator_funds(p_assets, p_sources);
    end if;
  end if;
  if p_assets && '{DIV,VC}' then
    v_done := ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  return true;
end $$;

-- Posts one transaction for each of many members, all under the same key, which is unique per member. The lines are
-- parallel arrays; a member's transaction is that member's lines in their order. Returns the number of transactions
-- posted: all of them, or 0 when exactly these were posted before. Checks, locks and errors are those of ledger_post; a
-- member's debits are compared with the balance before the call. Nothing may pass through clearing, and attested revenue
-- is not for many.
create or replace function ledger_post_many(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_from_reserve boolean
) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_members bigint[] := array(select distinct member from unnest(p_members) as member order by member);
  v_spends_pools boolean := ledger_touches_pools(p_sources);
  v_known bigint;
begin
  if not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if 'clearing' = any (p_sources) or 'clearing' = any (p_destinations) then
    raise exception 'clearing is not for many' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if v_spends_pools then
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
  perform ledger_enter_day(p_accounting_day, p_posted_at);
  if p_kind = 'attested_revenue' then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_key);
  elsif p_kind = 'grant' then
    perform ledger_require_grant(p_assets);
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
  if v_spends_pools then
    perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts, p_from_reserve);
  elsif ledger_touches_pools(p_destinations) then
    perform ledger_credit_pools(p_accounting_day, p_assets, p_destinations, p_amounts);
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, sum(l.amount), count(*)
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount)
  group by l.asset, l.source, l.destination;
  if ledger_is_guarded(p_kind, p_sources) then
    perform ledger_guard(p_key, p_members);
    if p_kind in ('treasury_payout', 'exit_hold') then
      perform ledger_require_operator_funds(p_assets, p_sources);
    end if;
  end if;
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  return cardinality(v_members);
end $$;

-- Raises RL011 unless the net assets of a product cover its units at the NAV and its cash covers what is announced. Checked
-- at the end of every database transaction that could change it: one that changes the product or takes cash of it.
create or replace function check_fund_backing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_product bigint;
  v_found record;
begin
  if tg_table_name = 'fund_products' then
    v_product := new.product_id;
  else
    v_product := substring(new.source from '[0-9]+$')::bigint;
  end if;
  select p.nav_micros, p.units_outstanding, p.invested_micros, p.announced_micros, coalesce(c.balance, 0) as cash
    into v_found
  from fund_products as p
  left join ledger_pool_sums as c on c.account = format('fund_custody:%s', v_product) and c.asset = 'USDT'
  where p.product_id = v_product;
  if v_found.cash::numeric + v_found.invested_micros < v_found.nav_micros::numeric * v_found.units_outstanding
    or v_found.cash < v_found.announced_micros
  then
    raise exception 'FUND_NOT_BACKED' using errcode = 'RL011', detail = format(
      'product %s: cash %s, announced %s, invested %s, NAV %s, units %s', v_product, v_found.cash,
      v_found.announced_micros, v_found.invested_micros, v_found.nav_micros, v_found.units_outstanding);
  end if;
  return null;
end $$;
