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

-- Returns a member's balances after the member's lines of a transaction, one after the other; null when one takes more than there is.
create function ledger_moved(
  p_balances bigint[], p_member bigint,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns bigint[]
language plpgsql immutable parallel safe as $$
declare
  v_slot int;
begin
  for v_line in 1..cardinality(p_members) loop
    continue when p_members[v_line] <> p_member;
    v_slot := ledger_slot(p_assets[v_line], p_sources[v_line]);
    if v_slot is not null then
      p_balances[v_slot] := p_balances[v_slot] - p_amounts[v_line];
      if p_balances[v_slot] < 0 then
        return null;
      end if;
    end if;
    v_slot := ledger_slot(p_assets[v_line], p_destinations[v_line]);
    if v_slot is not null then
      p_balances[v_slot] := p_balances[v_slot] + p_amounts[v_line];
    end if;
  end loop;
  return p_balances;
end $$;

-- Returns balances with what changes at some of them; a place of null is none of a member's balances.
create function ledger_added(p_balances bigint[], p_slots int[], p_deltas bigint[]) returns bigint[]
language plpgsql immutable parallel safe as $$
begin
  for v_place in 1..cardinality(p_slots) loop
    if p_slots[v_place] is not null then
      p_balances[p_slots[v_place]] := p_balances[p_slots[v_place]] + p_deltas[v_place];
    end if;
  end loop;
  return p_balances;
end $$;

-- Posts one transaction, given as parallel arrays with one element for each line. Returns true when it was posted, and
-- false when the same transaction had been posted before. Locks the pools that it spends from, then heads in ascending order.
-- Raises RL001 (a member's account or a pool has too little), RL002 (the key was used for another content) or RL003 (clearing does
-- not net to zero, or the columns differ in length), and the errors of the functions above. A line outside the flow table, an unknown
-- asset and an amount of zero violate a check. A transaction that is known is not checked again.
-- Without plans for the arrays at hand, each of which costs as much as what it plans. Without sequential scans the first plan is good
-- for a table that grows.
create function ledger_post(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_reverses_key text default null
) returns boolean
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_digest bytea := ledger_content_digest(
    p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations, p_amounts);
  v_spends_pools boolean := ledger_touches_pools(p_sources);
  v_members bigint[];
  v_seqs bigint[];
  v_reversed bigint[];
  v_member bigint;
  v_seq bigint;
  v_moved bigint[];
  -- The balances of one member after the other.
  v_balances bigint[] := '{}';
  v_slots int := cardinality(ledger_slots());
  v_short bigint;
  v_known bigint;
  -- An expression runs without a plan of its own, which costs a tenth of `perform`.
  v_done text;
begin
  if num_nulls(p_key, p_cause_type, p_cause_id, p_posted_at) > 0 then
    raise exception 'a transaction has a key, a cause and a time' using errcode = 'not_null_violation';
  end if;
  if ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) is not true then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if 'clearing' = any (p_sources || p_destinations) then
    perform from ledger_net(p_assets, p_sources, p_destinations, p_amounts) where account = 'clearing' and delta <> 0;
    if found then
      raise exception 'clearing does not net to zero' using errcode = 'RL003', detail = format('key %s', p_key);
    end if;
  end if;
  if v_spends_pools then
    v_done := ledger_lock(p_sources || p_destinations, '{}');
  end if;

  v_members := case when p_members[1] = all (p_members) then p_members[1:1]
    else array(select distinct member from unnest(p_members) as member order by member) end;
  foreach v_member in array v_members loop
    for v_attempt in 1..2 loop
      select seq + 1, ledger_moved(balances, v_member, p_members, p_assets, p_sources, p_destinations, p_amounts)
      into v_seq, v_moved from ledger_heads where member_id = v_member for update;
      exit when found;
      insert into ledger_heads (member_id, seq) values (v_member, 0) on conflict (member_id) do nothing;
    end loop;
    v_seqs := v_seqs || v_seq;
    v_balances := v_balances || v_moved;
    if v_moved is null then
      v_short := coalesce(v_short, v_member);
    end if;
    if p_reverses_key is not null then
      v_reversed := v_reversed || ledger_mirrored(v_member, p_reverses_key, p_kind,
        p_members, p_assets, p_sources, p_destinations, p_amounts);
    end if;
  end loop;
  perform from ledger_entries where member_id = any (v_members) and idempotency_key = p_key;
  if found then
    select count(*) into v_known from ledger_entries
    where member_id = any (v_members) and idempotency_key = p_key and content_digest = v_digest;
    if v_known < cardinality(v_members) then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
    end if;
    return false;
  end if;
  v_done := ledger_enter_day(p_accounting_day, p_posted_at);

  insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
    content_digest, idempotency_key, cause_type, cause_id, reverses_seq)
  select l.member, v_seqs[array_position(v_members, l.member)], l.amount, p_accounting_day, l.line, p_kind, l.asset, l.source,
    l.destination, t.posted_at, t.digest, t.key, t.cause_type, t.cause_id,
    case when t.key is not null then v_reversed[array_position(v_members, l.member)] end
  from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
    as l (member, asset, source, destination, amount, line)
  left join (values (p_posted_at, v_digest, p_key, p_cause_type, p_cause_id)) as t (posted_at, digest, key, cause_type, cause_id)
    on l.line = array_position(p_members, l.member);
  if v_short is not null then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('member %s has less than key %s takes', v_short, p_key);
  end if;
  update ledger_heads set seq = seq + 1,
    balances = v_balances[v_slots * (array_position(v_members, member_id) - 1) + 1 : v_slots * array_position(v_members, member_id)]
  where member_id = any (v_members);
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, l.amount, 1
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount);

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
