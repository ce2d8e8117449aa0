-- Returns the digest that must be equal for two calls with the same key. It leaves out times: a retry after midnight is
-- still a retry.
create function ledger_content_digest(
  kind text, cause_type text, cause_id text,
  members bigint[], assets text[], sources text[], destinations text[], amounts bigint[]
) returns bytea
language sql stable parallel safe
return sha256(convert_to(
  row(kind, cause_type, cause_id, members, assets, sources, destinations, amounts)::text, 'UTF8'));

-- Returns the net change of each account in a transaction, over all its members.
create function ledger_net(assets text[], sources text[], destinations text[], amounts bigint[])
returns table (account text, asset text, delta bigint)
language sql stable parallel safe
begin atomic
  select side.account, line.asset, sum(side.delta)::bigint
  from unnest(assets, sources, destinations, amounts) as line (asset, source, destination, amount),
       lateral (values (line.source, -line.amount), (line.destination, line.amount)) as side (account, delta)
  group by side.account, line.asset;
end;

-- Returns whether the columns of a transaction's lines have one length and are numbered from 1. A line without a member would change
-- the pools and be in nobody's books.
create function ledger_equal_lengths(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns boolean
language sql immutable parallel safe
return array_lower(p_members, 1) = 1 and array_ndims(p_members) = 1 and array_dims(p_members) = all (array[
  array_dims(p_assets), array_dims(p_sources), array_dims(p_destinations), array_dims(p_amounts)]);

-- Refuses a line whose member has too little: RL001, unless the line itself may not stand in the books.
create function ledger_refuse(
  p_key text, p_kind text, p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint
) returns void
language plpgsql as $$
begin
  if p_amount <= 0 or not ledger_flow_allowed(p_kind, p_asset, p_source, p_destination) then
    raise exception 'a line violates check constraint "ledger_entries_flow"' using errcode = 'check_violation',
      constraint = 'ledger_entries_flow', detail = format('key %s', p_key);
  end if;
  raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
    detail = format('member %s has less than key %s takes', p_member, p_key);
end $$;

-- Posts any number of transactions, one after the other, with one day and one time. A transaction has an element of p_keys, p_kinds,
-- p_cause_types and p_cause_ids, and of p_reverses_keys, null unless it is a reversal. A line has an element of the arrays from p_entries
-- on, which is the number of its transaction. Returns for each transaction true when it was posted, and false when the same one had been
-- posted before: then it is not checked again.
--
-- Locks the pools that the transactions spend from, then heads in ascending order. Raises RL001 (a member's account or a pool has too
-- little), RL002 (the key was used for another content) or RL003 (clearing does not net to zero, or the columns do not fit each other), and
-- the errors of the functions above. A line outside the flow table, an unknown asset and an amount of zero violate a check. Where the same
-- transaction is posted by others at the same time, and the caller had not locked the heads, the database transaction is to be repeated.
--
-- The update of a head is its lock and the check of its balance. Every statement is about one member, so that Citus sends it to the member's
-- machine, and takes there what a move of the shard waits for.
--
-- Without plans for the arrays at hand, each of which costs as much as what it plans. Without sequential scans the first plan is good
-- for a table that grows.
create function ledger_post(
  p_keys text[], p_kinds text[], p_cause_types text[], p_cause_ids text[], p_reverses_keys text[],
  p_accounting_day date, p_posted_at timestamptz,
  p_entries int[], p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns boolean[]
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_posted boolean[] := '{}';
  -- The transaction at hand and its lines, with their numbers in the books of their members.
  v_members bigint[] := p_members;
  v_assets text[] := p_assets;
  v_sources text[] := p_sources;
  v_destinations text[] := p_destinations;
  v_amounts bigint[] := p_amounts;
  v_seqs bigint[];
  v_reversed bigint[];
  v_digest bytea;
  v_line record;
  v_seq bigint;
  v_key text;
  v_member bigint;
  v_known bytea;
  v_count int;
  v_same boolean;
  v_is_first boolean;
begin
  if (ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) and array_dims(p_entries) = array_dims(p_members)
    and array_dims(p_keys) = all (array[array_dims(p_kinds), array_dims(p_cause_types), array_dims(p_cause_ids),
      array_dims(p_reverses_keys)]) and 1 <= all (p_entries) and cardinality(p_keys) >= all (p_entries)) is not true
  then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  if p_posted_at is null or array_position(p_keys || p_cause_types || p_cause_ids, null) is not null or array_position(p_members, null) is not null
  then
    raise exception 'a transaction has a key, a cause, a time and members' using errcode = 'not_null_violation';
  end if;
  if 'clearing' = any (p_sources || p_destinations) then
    perform from unnest(p_entries, p_assets, p_sources, p_destinations, p_amounts) as l (entry, asset, source, destination, amount)
    where 'clearing' in (source, destination) group by entry, asset
    having sum(case source when 'clearing' then -amount else amount end) <> 0;
    if found then
      raise exception 'clearing does not net to zero' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
    end if;
  end if;
  if cardinality(p_keys) > 1 or ledger_touches_pools(p_sources) then
    perform ledger_lock(case when ledger_touches_pools(p_sources) then p_sources || p_destinations else '{}' end,
      case when cardinality(p_keys) > 1 then p_members else '{}' end);
  end if;

  for v_entry in 1..cardinality(p_keys) loop
    if cardinality(p_keys) > 1 then
      select array_agg(member order by line), array_agg(asset order by line), array_agg(source order by line),
        array_agg(destination order by line), array_agg(amount order by line)
      into v_members, v_assets, v_sources, v_destinations, v_amounts
      from unnest(p_entries, p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
        as l (entry, member, asset, source, destination, amount, line)
      where entry = v_entry;
      if v_members is null then
        raise exception 'a transaction has lines' using errcode = 'RL003', detail = format('key %s', p_keys[v_entry]);
      end if;
    end if;
    v_key := p_keys[v_entry];
    v_digest := ledger_content_digest(p_kinds[v_entry], p_cause_types[v_entry], p_cause_ids[v_entry], v_members, v_assets, v_sources,
      v_destinations, v_amounts);
    v_count := 0;
    v_same := true;
    foreach v_member in array v_members loop
      select content_digest into v_known from ledger_entries where member_id = v_member and idempotency_key = v_key;
      v_count := v_count + found::int;
      v_same := v_same and v_known is not distinct from v_digest;
    end loop;
    if v_count > 0 then
      if not v_same then
        raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', v_key);
      end if;
      v_posted := v_posted || false;
      continue;
    end if;

    v_seqs := '{}';
    v_reversed := '{}';
    for v_line in
      select l.line, l.member, l.line = array_position(v_members, l.member) as is_first,
        -- Two balances change, or one is given its new value twice; without any, the first one keeps its value.
        coalesce(l.debited, l.credited, 1) as first_slot, coalesce(l.credited, l.debited, 1) as last_slot,
        case when l.debited is not null then l.amount when l.credited is not null then -l.amount else 0 end as taken,
        case when l.credited is not null then l.amount when l.debited is not null then -l.amount else 0 end as given
      from (
        select line, member, amount, ledger_slot(asset, source) as debited, ledger_slot(asset, destination) as credited
        from unnest(v_members, v_assets, v_sources, v_destinations, v_amounts) with ordinality
          as l (member, asset, source, destination, amount, line)
      ) as l
      order by l.member, l.line
    loop
      if p_reverses_keys[v_entry] is not null and v_line.is_first then
        v_reversed[v_line.line] := ledger_mirrored(v_line.member, p_reverses_keys[v_entry], p_kinds[v_entry], v_members, v_assets,
          v_sources, v_destinations, v_amounts);
      end if;
      for v_attempt in 1..2 loop
        update ledger_heads set seq = seq + v_line.is_first::int,
          balances[v_line.first_slot] = balances[v_line.first_slot] - v_line.taken,
          balances[v_line.last_slot] = balances[v_line.last_slot] + v_line.given
        where member_id = v_line.member and balances[v_line.first_slot] >= v_line.taken returning seq into v_seq;
        exit when found;
        if v_attempt = 2 then
          perform ledger_refuse(p_keys[v_entry], p_kinds[v_entry], v_line.member, v_assets[v_line.line], v_sources[v_line.line],
            v_destinations[v_line.line], v_amounts[v_line.line]);
        end if;
        insert into ledger_heads (member_id, seq) values (v_line.member, 0) on conflict (member_id) do nothing;
      end loop;
      v_seqs[v_line.line] := v_seq;
    end loop;

    for v_number in 1..cardinality(v_members) loop
      v_is_first := v_number = array_position(v_members, v_members[v_number]);
      insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
        content_digest, idempotency_key, cause_type, cause_id, reverses_seq)
      values (v_members[v_number], v_seqs[v_number], v_amounts[v_number], p_accounting_day, v_number, p_kinds[v_entry],
        v_assets[v_number], v_sources[v_number], v_destinations[v_number], case when v_is_first then p_posted_at end,
        case when v_is_first then v_digest end, case when v_is_first then v_key end,
        case when v_is_first then p_cause_types[v_entry] end, case when v_is_first then p_cause_ids[v_entry] end, v_reversed[v_number])
      on conflict (member_id, idempotency_key) do nothing;
      if not found then
        raise exception 'others post key %', v_key using errcode = 'serialization_failure';
      end if;
      insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
      values (p_accounting_day, p_kinds[v_entry], v_assets[v_number], v_sources[v_number], v_destinations[v_number], v_amounts[v_number], 1);
    end loop;
    if not ledger_day_is_open(p_accounting_day, p_posted_at) then
      perform ledger_enter_day(p_accounting_day, p_posted_at);
    end if;
    if ledger_touches_pools(v_sources) then
      perform ledger_apply_pools(p_accounting_day, v_assets, v_sources, v_destinations, v_amounts);
    elsif ledger_touches_pools(v_destinations) then
      perform ledger_credit_pools(p_accounting_day, v_assets, v_destinations, v_amounts);
    end if;
    if v_assets && '{DIV,VC}' then
      perform ledger_apply_shares(v_members, v_assets, v_sources, v_destinations, v_amounts);
    end if;
    if ledger_is_checked(p_kinds[v_entry], v_sources) then
      perform ledger_check(p_keys[v_entry], p_kinds[v_entry], p_cause_types[v_entry], p_cause_ids[v_entry],
        v_members, v_assets, v_sources, v_destinations, v_amounts, v_seqs);
    end if;
    v_posted := v_posted || true;
  end loop;
  return v_posted;
end $$;
