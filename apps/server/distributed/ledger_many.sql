-- The ledger's functions for many members at once, of a distributed database, like those of ledger.sql. Each
-- statement runs on all machines in parallel.

-- Posts transactions for many members, like the function of the migrations. Heads are locked by an update
-- that changes nothing, because rows of several machines cannot be selected for update.
create or replace function ledger_post_batches(
  p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_keys text[], p_kinds text[],
  p_flow_batches int[], p_assets text[], p_sources text[], p_destinations text[],
  p_members bigint[], p_flows int[], p_amounts bigint[],
  p_from_reserve boolean, p_parts_of text default null, p_part int default null
) returns bigint
language plpgsql
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  v_accounts text[] := p_sources || p_destinations;
  v_spends_pools boolean := ledger_touches_pools(p_sources);
  -- The transactions by member and batch, and the members with the numbers of their transactions and of
  -- earlier ones.
  v_tx_members bigint[];
  v_tx_batches int[];
  v_tx_digests bytea[];
  v_members bigint[];
  v_counts int[];
  v_before bigint[];
  v_heads bigint[];
  -- The flows that have lines, with their movements.
  v_batches int[];
  v_assets text[];
  v_sources text[];
  v_destinations text[];
  v_sums bigint[];
  v_lines bigint[];
  v_short record;
  v_known bigint;
  v_same bigint;
  v_batch int;
begin
  if cardinality(p_members) <> all (array[cardinality(p_flows), cardinality(p_amounts)])
    or cardinality(p_flow_batches) <> all (array[cardinality(p_assets), cardinality(p_sources), cardinality(p_destinations)])
    or cardinality(p_keys) <> cardinality(p_kinds)
    or not (p_flow_batches <@ array(select generate_series(1, cardinality(p_keys))))
    or exists (select from unnest(p_flows) as flow where flow is null or flow not between 1 and cardinality(p_assets))
  then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  if num_nulls(p_cause_type, p_cause_id, p_posted_at) > 0 or array_position(p_keys, null) is not null then
    raise exception 'a transaction has a key, a cause and a time' using errcode = 'not_null_violation';
  end if;
  if 'clearing' = any (v_accounts) then
    raise exception 'clearing is not for many' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  if v_spends_pools and p_part is null then
    perform ledger_lock(v_accounts, '{}');
  end if;

  select array_agg(t.member order by t.member, t.batch), array_agg(t.batch order by t.member, t.batch),
    array_agg(ledger_content_digest(p_kinds[t.batch], p_cause_type, p_cause_id, t.members, t.assets, t.sources, t.destinations,
      t.amounts) order by t.member, t.batch)
  into v_tx_members, v_tx_batches, v_tx_digests
  from (
    select l.member, f.batch, array_agg(l.member) as members, array_agg(f.asset order by l.line) as assets,
      array_agg(f.source order by l.line) as sources, array_agg(f.destination order by l.line) as destinations,
      array_agg(l.amount order by l.line) as amounts
    from unnest(p_members, p_flows, p_amounts) with ordinality as l (member, flow, amount, line)
    join unnest(p_flow_batches, p_assets, p_sources, p_destinations) with ordinality
      as f (batch, asset, source, destination, flow) using (flow)
    group by l.member, f.batch
  ) as t;
  select array_agg(member order by member), array_agg(count order by member), array_agg(before order by member)
  into v_members, v_counts, v_before
  from (select member, count(*)::int as count, min(place) - 1 as before
    from unnest(v_tx_members) with ordinality as t (member, place) group by member) as m;
  if v_members is null then
    return 0;
  end if;

  insert into ledger_heads (member_id, seq)
  select member, 0 from unnest(v_members) as member on conflict (member_id) do nothing;
  update ledger_heads set seq = seq where member_id = any (v_members);
  select array_agg(seq order by member_id) into v_heads from ledger_heads where member_id = any (v_members);
  select count(*), count(*) filter (where t.content_digest = d.digest) into v_known, v_same
  from (
    select member_id, idempotency_key, content_digest from ledger_entries
    where member_id = any (v_members) and idempotency_key = any (p_keys)
  ) as t
  join unnest(v_tx_members, v_tx_batches, v_tx_digests) as d (member, batch, digest)
    on d.member = t.member_id and p_keys[d.batch] = t.idempotency_key;
  if v_known > 0 then
    if v_same < cardinality(v_tx_members) then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_keys[1]);
    end if;
    return 0;
  end if;
  perform ledger_enter_day(p_accounting_day, p_posted_at);
  if 'attested_revenue' = any (p_kinds) then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_keys[1]);
  elsif 'grant' = any (p_kinds) then
    perform ledger_require_grant(p_assets);
  end if;
  select n.* into v_short
  from (
    select l.member, f.asset || ' ' || f.source as name, ledger_slot(f.asset, f.source) as slot, sum(l.amount) as taken
    from unnest(p_members, p_flows, p_amounts) as l (member, flow, amount)
    join unnest(p_assets, p_sources) with ordinality as f (asset, source, flow) using (flow)
    where f.asset || ' ' || f.source = any (ledger_slots()) group by l.member, f.asset, f.source
  ) as n
  join (select member_id, balances from ledger_heads where member_id = any (v_members)) as h on h.member_id = n.member
  where h.balances[n.slot] < n.taken limit 1;
  if found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('member %s has less than %s in %s', v_short.member, v_short.taken, v_short.name);
  end if;
  update ledger_heads as h set seq = h.seq + m.count, balances = ledger_added(h.balances, m.slots, m.deltas)
  from (
    select c.member, c.count, coalesce(n.slots, '{}') as slots, n.deltas
    from unnest(v_members, v_counts) as c (member, count)
    left join (
      select l.member, array_agg(side.slot) as slots, array_agg(side.sign * l.amount) as deltas
      from unnest(p_members, p_flows, p_amounts) as l (member, flow, amount)
      join (
        select f.flow, ledger_slot(f.asset, s.account) as slot, s.sign
        from unnest(p_assets, p_sources, p_destinations) with ordinality as f (asset, source, destination, flow),
          lateral (values (f.source, -1), (f.destination, 1)) as s (account, sign)
      ) as side on side.flow = l.flow and side.slot is not null
      group by l.member
    ) as n using (member)
  ) as m
  where h.member_id = m.member;
  insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
    content_digest, idempotency_key, cause_type, cause_id)
  select l.member, m.head + l.place, l.amount, p_accounting_day, l.line, p_kinds[l.batch], l.asset, l.source, l.destination,
    case when l.line = 1 then p_posted_at end, t.digest, case when l.line = 1 then p_keys[l.batch] end,
    case when l.line = 1 then p_cause_type end, case when l.line = 1 then p_cause_id end
  from (
    select l.member, l.amount, f.batch, f.asset, f.source, f.destination,
      dense_rank() over (partition by l.member order by f.batch) as place,
      row_number() over (partition by l.member, f.batch order by l.line) as line
    from unnest(p_members, p_flows, p_amounts) with ordinality as l (member, flow, amount, line)
    join unnest(p_flow_batches, p_assets, p_sources, p_destinations) with ordinality
      as f (batch, asset, source, destination, flow) using (flow)
  ) as l
  join unnest(v_members, v_heads) as m (member, head) using (member)
  left join unnest(v_tx_members, v_tx_batches, v_tx_digests) as t (member, batch, digest)
    on l.line = 1 and t.member = l.member and t.batch = l.batch;

  select array_agg(f.batch), array_agg(f.asset), array_agg(f.source), array_agg(f.destination), array_agg(s.sum),
    array_agg(s.lines)
  into v_batches, v_assets, v_sources, v_destinations, v_sums, v_lines
  from (select flow, sum(amount)::bigint as sum, count(*) as lines from unnest(p_flows, p_amounts) as l (flow, amount)
    group by flow) as s
  join unnest(p_flow_batches, p_assets, p_sources, p_destinations) with ordinality as f (batch, asset, source, destination, flow)
    using (flow);
  if p_part is not null then
    perform ledger_pay_parts(p_parts_of, p_part, v_assets, v_sources, v_destinations, v_sums);
  elsif v_spends_pools then
    perform ledger_apply_pools(p_accounting_day, v_assets, v_sources, v_destinations, v_sums, p_from_reserve);
  elsif ledger_touches_pools(v_destinations) then
    perform ledger_credit_pools(p_accounting_day, v_assets, v_destinations, v_sums);
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kinds[f.batch], f.asset, f.source, f.destination, f.sum, f.lines
  from unnest(v_batches, v_assets, v_sources, v_destinations, v_sums, v_lines)
    as f (batch, asset, source, destination, sum, lines);
  for v_batch in select generate_series(1, cardinality(p_keys)) loop
    if ledger_is_guarded(p_kinds[v_batch], p_sources) then
      perform ledger_guard(p_keys[v_batch], v_members);
      if p_kinds[v_batch] in ('treasury_payout', 'exit_hold') then
        perform ledger_require_operator_funds(p_assets, p_sources);
      end if;
    end if;
  end loop;
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(array_agg(l.member), array_agg(p_assets[l.flow]), array_agg(p_sources[l.flow]),
      array_agg(p_destinations[l.flow]), array_agg(l.amount))
    from unnest(p_members, p_flows, p_amounts) as l (member, flow, amount);
  end if;
  return cardinality(v_tx_members);
end $$;

-- Posts many transactions of paid orders one after the other, where the function of the migrations posts them
-- at once. Here a debit may spend the credits of an earlier transaction of the call.
create or replace function ledger_post_each(
  p_keys text[], p_kinds text[], p_cause_types text[], p_cause_ids text[], p_accounting_day date, p_posted_at timestamptz,
  p_entries int[], p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns bigint
language plpgsql set search_path = public, pg_temp as $$
declare
  v_entry record;
begin
  if cardinality(p_keys) <> all (array[cardinality(p_kinds), cardinality(p_cause_types), cardinality(p_cause_ids)])
    or cardinality(p_members) <> cardinality(p_entries)
    or not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts)
    or exists (select from unnest(p_entries) as entry where entry is null or entry not between 1 and cardinality(p_keys))
    or not (p_kinds <@ '{order_payment,order_discount_spend,order_discount_release,commission}')
    or 'clearing' = any (p_sources || p_destinations)
  then
    raise exception 'these are no transactions of paid orders' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  perform ledger_lock(p_sources || p_destinations, p_members);
  for v_entry in
    select entry, array_agg(member order by place) as members, array_agg(asset order by place) as assets,
      array_agg(source order by place) as sources, array_agg(destination order by place) as destinations,
      array_agg(amount order by place) as amounts
    from unnest(p_entries, p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
      as l (entry, member, asset, source, destination, amount, place)
    group by entry order by entry
  loop
    if not ledger_post(p_keys[v_entry.entry], p_kinds[v_entry.entry], p_cause_types[v_entry.entry], p_cause_ids[v_entry.entry],
      p_accounting_day, p_posted_at, v_entry.members, v_entry.assets, v_entry.sources, v_entry.destinations, v_entry.amounts)
    then
      raise exception 'a key is known' using errcode = 'unique_violation', detail = format('key %s', p_keys[v_entry.entry]);
    end if;
  end loop;
  return cardinality(p_keys);
end $$;
