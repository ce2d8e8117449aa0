-- Posts one transaction for each of many members, all under one key and kind: ledger_post_batches with a single batch.
create function ledger_post_many(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_from_reserve boolean
) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_posted bigint;
begin
  if not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  with lines as (
    select line, dense_rank() over (order by asset, source, destination)::int as flow, asset, source, destination
    from unnest(p_assets, p_sources, p_destinations) with ordinality as l (asset, source, destination, line)
  ), flows as (
    select array_agg(1 order by flow) as batches, array_agg(asset order by flow) as assets,
      array_agg(source order by flow) as sources, array_agg(destination order by flow) as destinations
    from (select distinct flow, asset, source, destination from lines) as f
  )
  select ledger_post_batches(p_cause_type, p_cause_id, p_accounting_day, p_posted_at, array[p_key], array[p_kind],
    f.batches, f.assets, f.sources, f.destinations, p_members, (select array_agg(flow order by line) from lines), p_amounts,
    p_from_reserve) into v_posted
  from flows as f;
  return v_posted;
end $$;

-- Posts many transactions of paid orders. Transactions and lines are parallel arrays; a line names its transaction by its place,
-- and the lines of a transaction follow each other. Each transaction gets the content, the digest and the places in the books of
-- its members that ledger_post would give it in turn. Returns their number. Checks, locks and errors are those of ledger_post,
-- but a member's debits are compared with the balance before the call, and a key that is known violates the unique key. Other
-- kinds raise RL003: their checks are in ledger_post alone.
create function ledger_post_each(
  p_keys text[], p_kinds text[], p_cause_types text[], p_cause_ids text[], p_accounting_day date, p_posted_at timestamptz,
  p_entries int[], p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_members bigint[] := array(select distinct member from unnest(p_members) as member order by member);
  v_short record;
begin
  if cardinality(p_keys) <> all (array[cardinality(p_kinds), cardinality(p_cause_types), cardinality(p_cause_ids)])
    or cardinality(p_members) <> cardinality(p_entries)
    or not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts)
    or exists (select from unnest(p_entries) as entry where entry is null or entry not between 1 and cardinality(p_keys))
    or not (p_kinds <@ '{order_payment,order_discount_spend,order_discount_release,commission}')
    or 'clearing' = any (p_sources || p_destinations)
    or p_posted_at is null or num_nulls(variadic p_keys || p_cause_types || p_cause_ids) > 0
  then
    raise exception 'these are no transactions of paid orders' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  if cardinality(p_keys) = 0 then
    return 0;
  end if;
  perform ledger_lock(p_sources || p_destinations, '{}');
  insert into ledger_heads (member_id, seq)
  select member, 0 from unnest(v_members) as member on conflict (member_id) do nothing;
  perform from ledger_heads where member_id = any (v_members) order by member_id for update;
  perform ledger_enter_day(p_accounting_day, p_posted_at);

  with lines as materialized (
    select l.*, row_number() over (partition by l.entry order by l.place) as line
    from unnest(p_entries, p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
      as l (entry, member, asset, source, destination, amount, place)
  ), entries as materialized (
    select e.*, ledger_content_digest(e.kind, e.cause_type, e.cause_id, c.members, c.assets, c.sources, c.destinations,
      c.amounts) as digest
    from unnest(p_keys, p_kinds, p_cause_types, p_cause_ids) with ordinality as e (key, kind, cause_type, cause_id, entry)
    join (
      select entry, array_agg(member order by line) as members, array_agg(asset order by line) as assets,
        array_agg(source order by line) as sources, array_agg(destination order by line) as destinations,
        array_agg(amount order by line) as amounts
      from lines group by entry
    ) as c using (entry)
  ), parts as materialized (
    select p.entry, p.member, p.first, head.seq + row_number() over (partition by p.member order by p.entry) as seq
    from (select entry, member, min(line) as first from lines group by entry, member) as p join ledger_heads as head on head.member_id = p.member
  )
  insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
    content_digest, idempotency_key, cause_type, cause_id)
  select l.member, p.seq, l.amount, p_accounting_day, l.line, e.kind, l.asset, l.source, l.destination, t.posted_at,
    t.digest, t.key, t.cause_type, t.cause_id
  from lines as l join parts as p using (entry, member) join entries as e using (entry)
  left join lateral (
    select p_posted_at as posted_at, e.digest, e.key, e.cause_type, e.cause_id where l.line = p.first
  ) as t on true;

  select n.* into v_short
  from (
    select l.member, l.asset, l.source, sum(l.amount) as amount
    from unnest(p_members, p_assets, p_sources, p_amounts) as l (member, asset, source, amount)
    where l.asset || ' ' || l.source = any (ledger_slots()) group by l.member, l.asset, l.source
  ) as n
  join ledger_heads as h on h.member_id = n.member
  where h.balances[ledger_slot(n.asset, n.source)] < n.amount limit 1;
  if found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail =
      format('member %s has less than %s in %s %s', v_short.member, v_short.amount, v_short.source, v_short.asset);
  end if;
  update ledger_heads as h set seq = h.seq + m.count, balances = ledger_added(h.balances, m.slots, m.deltas)
  from (
    select l.member, count(distinct l.entry) as count,
      coalesce(array_agg(side.slot) filter (where side.slot is not null), '{}') as slots,
      array_agg(side.delta) filter (where side.slot is not null) as deltas
    from unnest(p_entries, p_members, p_assets, p_sources, p_destinations, p_amounts)
        as l (entry, member, asset, source, destination, amount),
      lateral (values (ledger_slot(l.asset, l.source), -l.amount), (ledger_slot(l.asset, l.destination), l.amount))
        as side (slot, delta)
    group by l.member
  ) as m
  where h.member_id = m.member;
  perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kinds[l.entry], l.asset, l.source, l.destination, sum(l.amount), count(*)
  from unnest(p_entries, p_assets, p_sources, p_destinations, p_amounts) as l (entry, asset, source, destination, amount)
  group by p_kinds[l.entry], l.asset, l.source, l.destination;
  return cardinality(p_keys);
end $$;

-- A settlement takes as long where PostgreSQL has no statistics of the heads, after a restore say, as where it has them: it knows
-- how many rows a list of keys finds, but guesses for a range, and then worked the sums of the range out for each of its heads.
create function ledger_post_batches(
  p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_keys text[], p_kinds text[],
  p_flow_batches int[], p_assets text[], p_sources text[], p_destinations text[],
  p_members bigint[], p_flows int[], p_amounts bigint[],
  p_from_reserve boolean, p_parts_of text default null, p_part int default null
) returns bigint
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  v_accounts text[] := p_sources || p_destinations;
  v_spends_pools boolean := ledger_touches_pools(p_sources);
  -- The transactions by member and batch; the members with the number of their transactions, that of the transactions of members
  -- before them, and that of their last transaction so far.
  v_tx_members bigint[];
  v_tx_batches int[];
  v_tx_digests bytea[];
  v_members bigint[];
  v_counts int[];
  v_before bigint[];
  v_heads bigint[];
  -- The flows that have lines, with what each moves.
  v_batches int[];
  v_assets text[];
  v_sources text[];
  v_destinations text[];
  v_sums bigint[];
  v_lines bigint[];
  v_short record;
  v_known bigint;
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

  -- The text of ledger_content_digest, put together for all.
  select array_agg(t.member order by t.member, t.batch), array_agg(t.batch order by t.member, t.batch),
    array_agg(sha256(convert_to(case when t.lines = 1
      then format('%s,{%s},{%s},{%s},{%s},{%s})', t.head, t.member, t.assets, t.sources, t.destinations, t.amounts)
      else format('%s,"{%s}","{%s}","{%s}","{%s}","{%s}")', t.head, repeat(t.member || ',', t.lines - 1) || t.member, t.assets,
        t.sources, t.destinations, t.amounts)
      end, 'UTF8')) order by t.member, t.batch)
  into v_tx_members, v_tx_batches, v_tx_digests
  from (
    select l.member, f.batch, b.head, count(*)::int as lines, string_agg(f.asset, ',' order by l.line) as assets,
      string_agg(f.source, ',' order by l.line) as sources, string_agg(f.destination, ',' order by l.line) as destinations,
      string_agg(l.amount::text, ',' order by l.line) as amounts
    from unnest(p_members, p_flows, p_amounts) with ordinality as l (member, flow, amount, line)
    join unnest(p_flow_batches, p_assets, p_sources, p_destinations) with ordinality
      as f (batch, asset, source, destination, flow) using (flow)
    join (select batch, left(row(kind, p_cause_type, p_cause_id)::text, -1) as head
      from unnest(p_kinds) with ordinality as k (kind, batch)) as b using (batch)
    group by l.member, f.batch, b.head
  ) as t;
  select array_agg(member order by member), array_agg(count order by member), array_agg(before order by member)
  into v_members, v_counts, v_before
  from (select member, count(*)::int as count, min(place) - 1 as before
    from unnest(v_tx_members) with ordinality as t (member, place) group by member) as m;
  if v_members is null then
    return 0;
  end if;

  insert into ledger_heads (member_id, seq)
  select member, 0 from unnest(v_members) as member
  where not exists (select from ledger_heads where member_id = member) on conflict (member_id) do nothing;
  select array_agg(seq order by member_id) into v_heads
  from (select member_id, seq from ledger_heads where member_id = any (v_members) order by member_id for update) as head;
  begin
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
  exception when unique_violation then
    select count(*) into v_known
    from unnest(v_tx_members, v_tx_batches, v_tx_digests) as d (member, batch, digest)
    join ledger_entries as t on t.member_id = d.member and t.idempotency_key = p_keys[d.batch]
      and t.content_digest = d.digest;
    if v_known < cardinality(v_tx_members) then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_keys[1]);
    end if;
    return 0;
  end;
  perform ledger_enter_day(p_accounting_day, p_posted_at);
  if 'attested_revenue' = any (p_kinds) then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_keys[1]);
  elsif 'grant' = any (p_kinds) then
    perform ledger_require_grant(p_assets);
  end if;

  -- A member's debits are compared with the balances before the call.
  select n.member, n.taken, n.name into v_short
  from (
    select l.member, f.asset || ' ' || f.source as name, ledger_slot(f.asset, f.source) as slot, sum(l.amount) as taken
    from unnest(p_members, p_flows, p_amounts) as l (member, flow, amount)
    join unnest(p_assets, p_sources) with ordinality as f (asset, source, flow) using (flow)
    where f.asset || ' ' || f.source = any (ledger_slots()) group by l.member, f.asset, f.source
  ) as n
  join ledger_heads as h on h.member_id = n.member
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
  where h.member_id = m.member and h.member_id = any (v_members);

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
