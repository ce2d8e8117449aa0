-- The postings of operations that share a database transaction, in a fifth less time of the database (decision 3): each statement of a
-- posting function is executed once for all of them.

-- The checks of ledger_enter_day for a day after the last settled one, by the database's clock, in one expression. Where they fail,
-- that function decides.
create function ledger_day_is_open(p_accounting_day date, p_posted_at timestamptz) returns boolean
language sql
return coalesce(case
  when p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp()
    and current_setting('transaction_isolation') = 'read committed'
    and pg_try_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01')
  then p_accounting_day - date '2000-01-01' > pg_sequence_last_value('ledger_settled_day')
end, false);

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

revoke execute on function ledger_day_is_open, ledger_post_transfer_each, ledger_post_own_each from public;
