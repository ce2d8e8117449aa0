-- Returns whether any of the accounts is a pool.
create function ledger_touches_pools(accounts text[]) returns boolean
language sql stable parallel safe
return accounts && ledger_pool_accounts() or array_to_string(accounts, ' ') like '%fund\_custody:%';

-- Applies lines that spend a pool's money to the rows of pools, which the caller has locked. Credits that others appended are
-- added first when the row alone has too little. Raises RL001.
create function ledger_apply_pools(
  p_accounting_day date, p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_net record;
begin
  for v_net in
    select * from ledger_net(p_assets, p_sources, p_destinations, p_amounts)
    where ledger_account_class(account) = 'pool' and delta <> 0
  loop
    for v_attempt in 1..2 loop
      update ledger_pools set balance = balance + v_net.delta
      where account = v_net.account and asset = v_net.asset and reserved <= balance + v_net.delta;
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

-- Appends what lines pay into pools. It locks nothing.
create function ledger_credit_pools(p_accounting_day date, p_assets text[], p_destinations text[], p_amounts bigint[])
returns void
language plpgsql as $$
begin
  for v_line in 1..cardinality(p_destinations) loop
    continue when ledger_account_class(p_destinations[v_line]) is distinct from 'pool';
    perform from ledger_pools where account = p_destinations[v_line] and asset = p_assets[v_line];
    if not found then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = 'a pool does not exist';
    end if;
    insert into ledger_pool_credits (account, asset, accounting_day, amount)
    values (p_destinations[v_line], p_assets[v_line], p_accounting_day, p_amounts[v_line]);
  end loop;
end $$;

-- Adds the credits of a pool to its row and its days. The caller holds the lock of the row, and nobody else removes them. Citus plans the
-- statement with its values only.
create function ledger_fold_pool(p_account text, p_asset text) returns void
language plpgsql set plan_cache_mode = force_custom_plan as $$
begin
  with taken as (
    delete from ledger_pool_credits where account = p_account and asset = p_asset returning accounting_day, amount
  ), days as (
    insert into ledger_pool_days as days (account, asset, accounting_day, amount)
    select p_account, p_asset, accounting_day, sum(amount) from taken group by accounting_day
    on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount
  )
  update ledger_pools set balance = balance + (select sum(amount) from taken)
  where account = p_account and asset = p_asset and exists (select from taken);
end $$;

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

-- Sets money of a pool aside for a batch. Raises RL001 when less is free.
create function ledger_reserve(p_account text, p_asset text, p_amount bigint) returns void
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

-- Divides what is reserved in pools among the ranges of a batch. Locks the pools. Raises RL001 when less is reserved that has no
-- part yet.
create function ledger_divide_reserve(
  p_batch text, p_accounting_day date, p_parts int[], p_accounts text[], p_assets text[], p_amounts bigint[]
) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_short record;
begin
  perform ledger_lock(p_accounts, '{}');
  insert into ledger_pool_parts (batch, part, account, asset, accounting_day, amount)
  select p_batch, part, account, asset, p_accounting_day, amount
  from unnest(p_parts, p_accounts, p_assets, p_amounts) as l (part, account, asset, amount);
  select p.account, p.asset into v_short
  from (select account, asset, sum(amount) as amount from ledger_pool_parts group by account, asset) as parts
  join ledger_pools as p using (account, asset)
  where parts.amount > p.reserved
  limit 1;
  if found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('the parts of %s %s are more than is reserved', v_short.account, v_short.asset);
  end if;
end $$;

-- Takes what the ranges of a batch paid out of the pools and their reserves. Raises RL003 when a part is not paid whole.
create function ledger_close_parts(p_batch text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_open ledger_pool_parts;
  v_accounts text[] := array(select distinct account from ledger_pool_parts where batch = p_batch);
begin
  perform ledger_lock(v_accounts, '{}');
  select * into v_open from ledger_pool_parts where batch = p_batch and paid < amount limit 1;
  if found then
    raise exception 'a part is not paid whole' using errcode = 'RL003', detail = format(
      '%s part %s: %s of %s of %s %s', p_batch, v_open.part, v_open.paid, v_open.amount, v_open.account, v_open.asset);
  end if;
  with closed as (
    delete from ledger_pool_parts where batch = p_batch returning *
  ), sums as (
    select account, asset, accounting_day, sum(paid)::bigint as paid from closed group by account, asset, accounting_day
  ), pools as (
    update ledger_pools as p set balance = balance - sums.paid, reserved = reserved - sums.paid
    from sums where p.account = sums.account and p.asset = sums.asset
  )
  insert into ledger_pool_days as days (account, asset, accounting_day, amount)
  select account, asset, accounting_day, -paid from sums
  on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount;
end $$;

-- Pays from parts of a reserve, given as flows with their sums. Raises RL001 when a part has less.
create function ledger_pay_parts(p_batch text, p_part int, p_assets text[], p_sources text[], p_destinations text[], p_sums bigint[])
returns void
language plpgsql as $$
declare
  v_due int;
  v_paid int;
begin
  select count(*) into v_due from (
    select distinct account, asset from unnest(p_assets || p_assets, p_sources || p_destinations) as l (asset, account)
    where ledger_account_class(account) = 'pool') as pools;
  update ledger_pool_parts as part set paid = part.paid + due.amount
  from (select source, asset, sum(amount)::bigint as amount from unnest(p_assets, p_sources, p_sums) as l (asset, source, amount)
    group by source, asset) as due
  where part.batch = p_batch and part.part = p_part and part.account = due.source and part.asset = due.asset
    and part.paid + due.amount <= part.amount;
  get diagnostics v_paid = row_count;
  if v_paid < v_due then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = format('part %s of %s has less', p_part, p_batch);
  end if;
end $$;

-- Creates the custody of a fund product.
create function ledger_open_custody(p_product bigint) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into ledger_pools (account, asset) values (format('fund_custody:%s', p_product), 'USDT') on conflict do nothing;
$$;

-- Applies lines to ledger_shares. A posting calls it last, and it updates in the order of asset and slot: a transaction
-- that holds one of these rows waits only for a later one of them.
create function ledger_apply_shares(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_net record;
begin
  for v_net in
    select l.asset, (l.member % 16)::smallint as slot, sum(side.delta) as delta
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts)
        as l (member, asset, source, destination, amount),
      lateral (values (l.source, -l.amount), (l.destination, l.amount)) as side (account, delta)
    where l.asset in ('DIV', 'VC') and ledger_account_class(side.account) = 'member'
    group by l.asset, l.member % 16 having sum(side.delta) <> 0
    order by l.asset, l.member % 16
  loop
    update ledger_shares set held = held + v_net.delta where asset = v_net.asset and slot = v_net.slot;
  end loop;
end $$;

-- Moves ledger_flow_deltas into ledger_flow_days and returns the number of rows moved. Of two concurrent calls one does
-- nothing and returns 0.
create function ledger_fold_flows() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_folded bigint;
begin
  -- 'flow' as a number; no other advisory lock of this database uses it.
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
