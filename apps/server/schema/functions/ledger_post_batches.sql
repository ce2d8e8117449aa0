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

-- Posts transactions of many members, all with one cause, day and time: of each batch one for each member with lines of it, under the
-- batch's key and kind. A flow belongs to a batch; a line is a member, a flow and an amount, and a member's lines are in the order of their
-- flows. Pools pay from a part of their reserve, so their rows are not locked. Returns the number of transactions of each batch, all 0 when
-- the same ones had been posted before. Each transaction has the content, the digest and the place in its member's books that ledger_post
-- would give it, but a member's debits are compared with the balances before the call. Raises RL001, RL002 and RL003 as ledger_post does;
-- kinds that ledger_post checks by themselves, dividend rights, VC and clearing are not for many (RL003).
--
-- A settlement takes as long where PostgreSQL has no statistics of the heads, after a restore say, as where it has them: it knows
-- how many rows a list of keys finds, but guesses for a range. Heads are locked by an update in the order of the list, because Citus locks
-- rows of several machines in no other way; index scans follow that order.
create function ledger_post_batches(
  p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_keys text[], p_kinds text[],
  p_flow_batches int[], p_assets text[], p_sources text[], p_destinations text[],
  p_members bigint[], p_flows int[], p_amounts bigint[],
  p_parts_of text, p_part int
) returns bigint[]
language plpgsql security definer
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off set enable_bitmapscan = off as $$
declare
  -- The transactions by member and batch; the members with the number of their transactions, and that of their last one so far.
  v_tx_members bigint[];
  v_tx_batches int[];
  v_tx_digests bytea[];
  v_members bigint[];
  v_counts int[];
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
  v_same bigint;
begin
  if cardinality(p_members) <> any (array[cardinality(p_flows), cardinality(p_amounts)])
    or cardinality(p_flow_batches) <> any (array[cardinality(p_assets), cardinality(p_sources), cardinality(p_destinations)])
    or cardinality(p_keys) <> cardinality(p_kinds)
    or not (p_flow_batches <@ array(select generate_series(1, cardinality(p_keys))))
    or exists (select from unnest(p_flows) as flow where flow is null or flow not between 1 and cardinality(p_assets))
  then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
  end if;
  if num_nulls(p_cause_type, p_cause_id, p_posted_at) > 0 or array_position(p_keys, null) is not null then
    raise exception 'a transaction has a key, a cause and a time' using errcode = 'not_null_violation';
  end if;
  if p_assets && '{DIV,VC}' or 'clearing' = any (p_sources || p_destinations)
    or exists (select from unnest(p_kinds) as kind where ledger_is_checked(kind, p_sources))
  then
    raise exception 'these are no transactions for many' using errcode = 'RL003', detail = format('key %s', p_keys[1]);
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
  select array_agg(member order by member), array_agg(count order by member) into v_members, v_counts
  from (select member, count(*)::int as count from unnest(v_tx_members) as t (member) group by member) as m;
  if v_members is null then
    return array_fill(0::bigint, array[cardinality(p_keys)]);
  end if;

  insert into ledger_heads (member_id, seq) select member, 0 from unnest(v_members) as member on conflict (member_id) do nothing;
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
    return array_fill(0::bigint, array[cardinality(p_keys)]);
  end if;
  perform ledger_enter_day(p_accounting_day, p_posted_at);

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

  select n.member, n.taken, n.name into v_short
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
  where h.member_id = m.member and h.member_id = any (v_members);

  select array_agg(f.batch), array_agg(f.asset), array_agg(f.source), array_agg(f.destination), array_agg(s.sum),
    array_agg(s.lines)
  into v_batches, v_assets, v_sources, v_destinations, v_sums, v_lines
  from (select flow, sum(amount)::bigint as sum, count(*) as lines from unnest(p_flows, p_amounts) as l (flow, amount)
    group by flow) as s
  join unnest(p_flow_batches, p_assets, p_sources, p_destinations) with ordinality as f (batch, asset, source, destination, flow)
    using (flow);
  perform ledger_pay_parts(p_parts_of, p_part, v_assets, v_sources, v_destinations, v_sums);
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kinds[f.batch], f.asset, f.source, f.destination, f.sum, f.lines
  from unnest(v_batches, v_assets, v_sources, v_destinations, v_sums, v_lines)
    as f (batch, asset, source, destination, sum, lines);
  return array(select (select count(*) from unnest(v_tx_batches) as t (batch) where t.batch = b.batch)
    from generate_series(1, cardinality(p_keys)) as b (batch) order by b.batch);
end $$;
