-- Posts a transfer of one member to another: the two halves that meet in `clearing`. Returns, locks and refuses what ledger_post does
-- for the same lines. It writes without a look at what it would refuse: where a row is not found, or the key is known, the heads are
-- taken back, and ledger_post decides.
create function ledger_post_transfer(
  p_key text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_from bigint, p_to bigint, p_asset text, p_amount bigint
) returns boolean
language plpgsql strict security definer set search_path = public, pg_temp as $$
declare
  v_digest bytea := ledger_content_digest('transfer', p_cause_type, p_cause_id, array[p_from, p_to], array[p_asset, p_asset],
    '{available,clearing}', '{clearing,available}', array[p_amount, p_amount]);
  v_slot int := ledger_slot(p_asset, 'available');
  v_seq bigint;
  v_last_seq bigint;
  v_written int;
  v_done text;
begin
  <<usual>>
  begin
    if p_from < p_to then
      update ledger_heads set seq = seq + 1, balances[v_slot] = balances[v_slot] - p_amount
      where member_id = p_from and balances[v_slot] >= p_amount returning seq into v_seq;
      exit usual when not found;
      update ledger_heads set seq = seq + 1, balances[v_slot] = balances[v_slot] + p_amount
      where member_id = p_to returning seq into v_last_seq;
    elsif p_from > p_to then
      update ledger_heads set seq = seq + 1, balances[v_slot] = balances[v_slot] + p_amount
      where member_id = p_to returning seq into v_last_seq;
      exit usual when not found;
      update ledger_heads set seq = seq + 1, balances[v_slot] = balances[v_slot] - p_amount
      where member_id = p_from and balances[v_slot] >= p_amount returning seq into v_seq;
    else
      exit usual;
    end if;
    exit usual when not found;
    insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
      content_digest, idempotency_key, cause_type, cause_id)
    values
      (p_from, v_seq, p_amount, p_accounting_day, 1, 'transfer', p_asset, 'available', 'clearing', p_posted_at, v_digest,
        p_key, p_cause_type, p_cause_id),
      (p_to, v_last_seq, p_amount, p_accounting_day, 2, 'transfer', p_asset, 'clearing', 'available', p_posted_at, v_digest,
        p_key, p_cause_type, p_cause_id)
    on conflict (member_id, idempotency_key) do nothing;
    get diagnostics v_written = row_count;
    if v_written < 2 then
      exit usual when v_written = 0;
      -- Of the same transaction both members would have a part.
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
    end if;
    insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
    values (p_accounting_day, 'transfer', p_asset, 'available', 'clearing', p_amount, 1),
      (p_accounting_day, 'transfer', p_asset, 'clearing', 'available', p_amount, 1);
    -- The checks of ledger_enter_day for a day after the last settled one, by the database's clock, in one expression. Each
    -- that fails is left to that function.
    if (case
      when p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp()
        and current_setting('transaction_isolation') = 'read committed'
        and pg_try_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01')
      then p_accounting_day - date '2000-01-01' > pg_sequence_last_value('ledger_settled_day')
    end) is not true
    then
      v_done := ledger_enter_day(p_accounting_day, p_posted_at);
    end if;
    return true;
  end;
  update ledger_heads set seq = seq - 1, balances = ledger_added(balances, array[v_slot], array[p_amount])
  where v_seq is not null and member_id = p_from;
  update ledger_heads set seq = seq - 1, balances = ledger_added(balances, array[v_slot], array[-p_amount])
  where v_last_seq is not null and member_id = p_to;
  return ledger_post(p_key, 'transfer', p_cause_type, p_cause_id, p_accounting_day, p_posted_at, array[p_from, p_to],
    array[p_asset, p_asset], '{available,clearing}', '{clearing,available}', array[p_amount, p_amount]);
end $$;

-- Posts a transaction of one member who moves one asset from one account to another, or to two; without a second one, that is ''
-- and its amount 0. Otherwise as ledger_post_transfer.
create function ledger_post_own(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint,
  p_second_destination text, p_second_amount bigint
) returns boolean
language plpgsql strict security definer set search_path = public, pg_temp as $$
declare
  v_is_single boolean := p_second_destination = '' and p_second_amount = 0;
  v_from int := ledger_slot(p_asset, p_source);
  v_to int := ledger_slot(p_asset, p_destination);
  v_taken bigint := p_amount + p_second_amount;
  v_digest bytea;
  v_seq bigint;
  v_lines int;
  v_done text;
begin
  <<usual>>
  begin
    -- It neither spends a pool's money, nor changes shares or gives to a second balance, and is not of a kind with checks of its own.
    exit usual when (p_asset in ('USDT', 'AMC', 'RIF') and (v_from is not null or p_source in ('external', 'revenue', 'fees'))
      and 'clearing' not in (p_destination, p_second_destination) and p_kind <> all (ledger_checked_kinds())
      and ledger_slot(p_asset, p_second_destination) is null) is not true;
    if v_from is null and v_to is null then
      update ledger_heads set seq = seq + 1 where member_id = p_member returning seq into v_seq;
    elsif v_to is null then
      update ledger_heads set seq = seq + 1, balances[v_from] = balances[v_from] - v_taken
      where member_id = p_member and balances[v_from] >= v_taken returning seq into v_seq;
    elsif v_from is null then
      update ledger_heads set seq = seq + 1, balances[v_to] = balances[v_to] + p_amount
      where member_id = p_member returning seq into v_seq;
    else
      update ledger_heads set seq = seq + 1, balances[v_from] = balances[v_from] - v_taken,
        balances[v_to] = balances[v_to] + p_amount
      where member_id = p_member and balances[v_from] >= v_taken returning seq into v_seq;
    end if;
    exit usual when not found;
    -- A line without a key would not conflict with what is known, so the key is looked up.
    if v_is_single then
      v_digest := ledger_content_digest(p_kind, p_cause_type, p_cause_id, array[p_member], array[p_asset], array[p_source],
        array[p_destination], array[p_amount]);
      insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
        content_digest, idempotency_key, cause_type, cause_id)
      select p_member, v_seq, p_amount, p_accounting_day, 1, p_kind, p_asset, p_source, p_destination, p_posted_at, v_digest,
        p_key, p_cause_type, p_cause_id
      where not exists (select from ledger_entries where member_id = p_member and idempotency_key = p_key);
      exit usual when not found;
      insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
      values (p_accounting_day, p_kind, p_asset, p_source, p_destination, p_amount, 1);
    else
      v_digest := ledger_content_digest(p_kind, p_cause_type, p_cause_id, array[p_member, p_member], array[p_asset, p_asset],
        array[p_source, p_source], array[p_destination, p_second_destination], array[p_amount, p_second_amount]);
      insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
        content_digest, idempotency_key, cause_type, cause_id)
      select p_member, v_seq, l.amount, p_accounting_day, l.line, p_kind, p_asset, p_source, l.destination, l.posted_at, l.digest,
        l.key, l.cause_type, l.cause_id
      from (values
        (1, p_destination, p_amount, p_posted_at, v_digest, p_key, p_cause_type, p_cause_id),
        (2, p_second_destination, p_second_amount, null, null, null, null, null)
      ) as l (line, destination, amount, posted_at, digest, key, cause_type, cause_id)
      where not exists (select from ledger_entries where member_id = p_member and idempotency_key = p_key);
      exit usual when not found;
      insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
      values (p_accounting_day, p_kind, p_asset, p_source, p_destination, p_amount, 1),
        (p_accounting_day, p_kind, p_asset, p_source, p_second_destination, p_second_amount, 1);
    end if;
    -- The checks of ledger_enter_day for a day after the last settled one, by the database's clock, in one expression. Each
    -- that fails is left to that function.
    if (case
      when p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp()
        and current_setting('transaction_isolation') = 'read committed'
        and pg_try_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01')
      then p_accounting_day - date '2000-01-01' > pg_sequence_last_value('ledger_settled_day')
    end) is not true
    then
      v_done := ledger_enter_day(p_accounting_day, p_posted_at);
    end if;
    if v_to is null and not array[p_destination, p_second_destination] <@ '{external,revenue,fees,""}'
      or v_to is not null and p_second_destination not in ('external', 'revenue', 'fees', '')
    then
      v_done := ledger_credit_pools(p_accounting_day, array[p_asset, p_asset], array[p_destination, p_second_destination],
        array[p_amount, p_second_amount]);
    end if;
    return true;
  end;
  update ledger_heads set seq = seq - 1, balances = ledger_added(balances, array[v_from, v_to], array[v_taken, -p_amount])
  where v_seq is not null and member_id = p_member;
  v_lines := case when v_is_single then 1 else 2 end;
  return ledger_post(p_key, p_kind, p_cause_type, p_cause_id, p_accounting_day, p_posted_at,
    array_fill(p_member, array[v_lines]), array_fill(p_asset, array[v_lines]), array_fill(p_source, array[v_lines]),
    (array[p_destination, p_second_destination])[1:v_lines], (array[p_amount, p_second_amount])[1:v_lines]);
end $$;

-- Posts transfers of several operations, given as to ledger_post_transfer, one array element each. No member is in two of them. Where
-- one is not posted anew, as where a key is known, a balance has too little or a member has no books, it raises an error, so that
-- each operation is repeated by itself with ledger_post_transfer. Returns their number.
create function ledger_post_transfer_each(
  p_keys text[], p_cause_types text[], p_cause_ids text[], p_accounting_days date[], p_posted_at timestamptz[],
  p_from bigint[], p_to bigint[], p_assets text[], p_amounts bigint[]
) returns bigint
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_moved bigint;
  v_is_entered boolean;
begin
  with each as materialized (
    select each.*, ledger_slot(each.asset, 'available') as slot,
      ledger_content_digest('transfer', each.cause_type, each.cause_id, array[each.sender, each.receiver],
        array[each.asset, each.asset], '{available,clearing}', '{clearing,available}', array[each.amount, each.amount]) as digest
    from unnest(p_keys, p_cause_types, p_cause_ids, p_accounting_days, p_posted_at, p_from, p_to, p_assets, p_amounts)
      as each (key, cause_type, cause_id, day, at, sender, receiver, asset, amount)
    where each is not null
  ), lines as materialized (
    select each.*, side.*
    from each, lateral (values (sender, 1, 'available', 'clearing', -amount), (receiver, 2, 'clearing', 'available', amount))
      as side (member, line, source, destination, delta)
  ), moved as (
    update ledger_heads as h set seq = h.seq + 1, balances[lines.slot] = h.balances[lines.slot] + lines.delta
    from lines where h.member_id = lines.member
    returning h.seq, lines.*
  ), written as (
    insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
      content_digest, idempotency_key, cause_type, cause_id)
    select member, seq, amount, day, line, 'transfer', asset, source, destination, at, digest, key, cause_type, cause_id
    from moved
  ), flows as (
    insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
    select day, 'transfer', asset, source, destination, sum(amount), count(*)
    from lines group by day, asset, source, destination
  )
  select (select count(*) from moved), (select bool_and(ledger_day_is_open(day, at)) from each) into v_moved, v_is_entered;
  if v_moved <> 2 * cardinality(p_keys) then
    raise exception 'these are no transfers of separate members' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  if v_is_entered is not true then
    perform ledger_enter_day(day, at) from unnest(p_accounting_days, p_posted_at) as each (day, at);
  end if;
  return cardinality(p_keys);
end $$;

-- Posts transactions of one member each, given as to ledger_post_own. Otherwise as ledger_post_transfer_each. It raises an error also
-- where ledger_post_own leaves a transaction to ledger_post.
create function ledger_post_own_each(
  p_keys text[], p_kinds text[], p_cause_types text[], p_cause_ids text[], p_accounting_days date[], p_posted_at timestamptz[],
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_second_destinations text[], p_second_amounts bigint[]
) returns bigint
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_moved bigint;
  v_is_entered boolean;
begin
  with each as materialized (
    select each.*, ledger_slot(asset, source) as debited, ledger_slot(asset, destination) as credited,
      second_destination = '' and second_amount = 0 as is_single
    from unnest(p_keys, p_kinds, p_cause_types, p_cause_ids, p_accounting_days, p_posted_at, p_members, p_assets, p_sources,
      p_destinations, p_amounts, p_second_destinations, p_second_amounts)
      as each (key, kind, cause_type, cause_id, day, at, member, asset, source, destination, amount, second_destination,
        second_amount)
    where each is not null
  ), usual as materialized (
    -- Two balances change, or one is given its new value twice; without any, the first one keeps its value.
    select each.*, coalesce(debited, credited, 1) as first_slot, coalesce(credited, debited, 1) as last_slot,
      case when debited is not null then -amount - second_amount when credited is not null then amount else 0 end as first_delta,
      case when credited is not null then amount when debited is not null then -amount - second_amount else 0 end as last_delta,
      case when is_single
        then ledger_content_digest(kind, cause_type, cause_id, array[member], array[asset], array[source], array[destination],
          array[amount])
        else ledger_content_digest(kind, cause_type, cause_id, array[member, member], array[asset, asset], array[source, source],
          array[destination, second_destination], array[amount, second_amount])
      end as digest
    from each
    where asset in ('USDT', 'AMC', 'RIF') and (debited is not null or source in ('external', 'revenue', 'fees'))
      and 'clearing' not in (destination, second_destination) and kind <> all (ledger_checked_kinds())
      and ledger_slot(asset, second_destination) is null
  ), moved as (
    update ledger_heads as h set seq = h.seq + 1, balances[first_slot] = h.balances[first_slot] + first_delta,
      balances[last_slot] = h.balances[last_slot] + last_delta
    from usual where h.member_id = usual.member
    returning h.seq, usual.*
  ), written as (
    insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
      content_digest, idempotency_key, cause_type, cause_id)
    select member, seq, amount, day, 1, kind, asset, source, destination, at, digest, key, cause_type, cause_id from moved
    union all
    select member, seq, second_amount, day, 2, kind, asset, source, second_destination, null, null, null, null, null
    from moved where not is_single
  ), lines as materialized (
    select day, kind, asset, source, destination, amount from usual
    union all
    select day, kind, asset, source, second_destination, second_amount from usual where not is_single
  ), flows as (
    insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
    select day, kind, asset, source, destination, sum(amount), count(*)
    from lines group by day, kind, asset, source, destination
  )
  select (select count(*) from moved), (select bool_and(ledger_day_is_open(day, at)) from each) into v_moved, v_is_entered;
  if v_moved <> cardinality(p_keys) then
    raise exception 'these are no usual transactions of separate members' using errcode = 'RL003',
      detail = format('key %s', p_keys[1]);
  end if;
  if v_is_entered is not true then
    perform ledger_enter_day(day, at) from unnest(p_accounting_days, p_posted_at) as each (day, at);
  end if;
  if ledger_touches_pools(p_destinations || p_second_destinations) then
    perform ledger_credit_pools(day, array_agg(asset), array_agg(destination), array_agg(amount))
    from unnest(p_accounting_days || p_accounting_days, p_assets || p_assets, p_destinations || p_second_destinations,
      p_amounts || p_second_amounts) as line (day, asset, destination, amount)
    where ledger_account_class(destination) = 'pool' group by day;
  end if;
  return cardinality(p_keys);
end $$;
