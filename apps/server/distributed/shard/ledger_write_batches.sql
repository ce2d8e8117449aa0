-- The part of ledger_post_batches that is in the books of the members of one shard, for lines that are all theirs. `rif distribute`
-- makes one of these functions for each shard, with the shard's tables for those that it names, so that each statement is
-- planned and run where the rows stand, as on one machine. Returns the number of transactions, and for each flow that has
-- lines its number, sum and lines; the coordinator books these (ledger_post_parts). Checks and errors are those of
-- ledger_post_batches.
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
  -- The balances by member and cell, an asset and account: what they change by, and what is taken from a member's account.
  v_cell_assets text[];
  v_cell_accounts text[];
  v_bal_members bigint[];
  v_bal_cells int[];
  v_bal_deltas bigint[];
  v_bal_debits bigint[];
  v_written bigint[];
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
    insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id, accounting_day,
      posted_at)
    select t.member, m.head + t.place - m.before, p_kinds[t.batch], p_keys[t.batch], t.digest, p_cause_type, p_cause_id,
      p_accounting_day, p_posted_at
    from unnest(v_tx_members, v_tx_batches, v_tx_digests) with ordinality as t (member, batch, digest, place)
    join unnest(v_members, v_heads, v_before) as m (member, head, before) using (member);
  exception when unique_violation then
    select count(*) into v_known
    from unnest(v_tx_members, v_tx_batches, v_tx_digests) as d (member, batch, digest)
    join ledger_transactions as t on t.member_id = d.member and t.idempotency_key = p_keys[d.batch]
      and t.content_digest = d.digest;
    if v_known < cardinality(v_tx_members) then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_keys[1]);
    end if;
    posted := 0;
    return;
  end;
  update ledger_heads as h set seq = h.seq + m.count
  from unnest(v_members, v_counts) as m (member, count)
  where h.member_id = m.member and h.member_id between v_members[1] and v_members[cardinality(v_members)];

  insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
  select l.member, m.head + dense_rank() over (partition by l.member order by f.batch),
    row_number() over (partition by l.member, f.batch order by l.line), p_kinds[f.batch], f.asset, f.source, f.destination,
    l.amount, p_accounting_day
  from unnest(p_members, p_flows, p_amounts) with ordinality as l (member, flow, amount, line)
  join unnest(p_flow_batches, p_assets, p_sources, p_destinations) with ordinality
    as f (batch, asset, source, destination, flow) using (flow)
  join unnest(v_members, v_heads) as m (member, head) on m.member = l.member;

  select array_agg(asset), array_agg(account) into v_cell_assets, v_cell_accounts
  from (select distinct asset, account from unnest(p_assets || p_assets, v_accounts) as c (asset, account)) as cells;
  select array_agg(n.member), array_agg(n.cell), array_agg(n.delta), array_agg(n.debit)
  into v_bal_members, v_bal_cells, v_bal_deltas, v_bal_debits
  from (
    select l.member, side.cell, sum(side.sign * l.amount)::bigint as delta, sum(side.taken * l.amount)::bigint as debit
    from unnest(p_members, p_flows, p_amounts) as l (member, flow, amount)
    join (
      select f.flow, c.cell, s.sign,
        case when s.sign < 0 and ledger_account_class(s.account) = 'member' then 1 else 0 end as taken
      from unnest(p_assets, p_sources, p_destinations) with ordinality as f (asset, source, destination, flow),
        lateral (values (f.source, -1), (f.destination, 1)) as s (account, sign)
      join unnest(v_cell_assets, v_cell_accounts) with ordinality as c (asset, account, cell) using (account)
      where c.asset = f.asset
    ) as side using (flow)
    group by l.member, side.cell order by l.member, side.cell
  ) as n;
  with written as (
    update ledger_balances as b set balance = b.balance + n.delta
    from unnest(v_bal_members, v_bal_cells, v_bal_deltas, v_bal_debits) with ordinality as n (member, cell, delta, debit, place)
    join unnest(v_cell_assets, v_cell_accounts) with ordinality as c (asset, account, cell) using (cell)
    where b.member_id = n.member and b.asset = c.asset and b.account = c.account and (n.debit = 0 or b.balance >= n.debit)
      and b.member_id between v_members[1] and v_members[cardinality(v_members)]
    returning n.place
  )
  select array_agg(place) into v_written from written;
  if cardinality(v_written) is distinct from cardinality(v_bal_members) then
    -- A balance that was not written is none yet, or too small.
    select n.member, n.debit, v_cell_assets[n.cell] as asset, v_cell_accounts[n.cell] as account into v_short
    from unnest(v_bal_members, v_bal_cells, v_bal_debits) with ordinality as n (member, cell, debit, place)
    where n.debit > 0 and n.place <> all (coalesce(v_written, '{}')) limit 1;
    if found then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = format(
        'member %s has less than %s in %s %s', v_short.member, v_short.debit, v_short.account, v_short.asset);
    end if;
    insert into ledger_balances (member_id, asset, account, balance)
    select n.member, v_cell_assets[n.cell], v_cell_accounts[n.cell], n.delta
    from unnest(v_bal_members, v_bal_cells, v_bal_deltas) with ordinality as n (member, cell, delta, place)
    where n.place <> all (coalesce(v_written, '{}'));
  end if;

  select array_agg(flow), array_agg(sum), array_agg(count) into flow_numbers, flow_sums, flow_lines
  from (select flow, sum(amount)::bigint as sum, count(*) as count from unnest(p_flows, p_amounts) as l (flow, amount)
    group by flow) as s;
  posted := cardinality(v_tx_members);
end $$;
