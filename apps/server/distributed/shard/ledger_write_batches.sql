-- The part of ledger_post_batches in the books of the members of one shard, for lines of these members only.
-- `rif distribute` creates one of these functions for each shard, with the shard's tables in place of those
-- named here, so that each statement is planned and run on the machine of the rows, as on one machine.
-- Returns the number of transactions, and for each flow with lines its number, sum and lines; the coordinator
-- books these (ledger_post_parts). Checks and errors are those of ledger_post_batches.
create or replace function ledger_write_batches(
  p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_keys text[], p_kinds text[],
  p_flow_batches int[], p_assets text[], p_sources text[], p_destinations text[],
  p_members bigint[], p_flows int[], p_amounts bigint[],
  out posted bigint, out flow_numbers int[], out flow_sums bigint[], out flow_lines bigint[]
) returns record
language plpgsql
set search_path = public, pg_temp set plan_cache_mode = force_custom_plan set enable_seqscan = off as $$
declare
  v_accounts text[] := p_sources || p_destinations;
  -- The transactions by member and batch; the members with the number of their transactions, that of the transactions of members
  -- before them, and that of their last transaction so far.
  v_tx_members bigint[];
  v_tx_batches int[];
  v_tx_digests bytea[];
  v_members bigint[];
  v_counts int[];
  v_before bigint[];
  v_heads bigint[];
  v_short record;
  v_known bigint;
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
    posted := 0;
    return;
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
    posted := 0;
    return;
  end;

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

  select array_agg(flow), array_agg(sum), array_agg(count) into flow_numbers, flow_sums, flow_lines
  from (select flow, sum(amount)::bigint as sum, count(*) as count from unnest(p_flows, p_amounts) as l (flow, amount)
    group by flow) as s;
  posted := cardinality(v_tx_members);
end $$;
