-- A settled day is posted with few statements for a range of members, and ranges side by side (decision 7).

-- Parts of what is reserved in a pool, each for one range of a batch. A range pays from its part, so that ranges do not wait for
-- each other, nor orders for them, in the pool's row. Paid money leaves the pool's row when the batch is closed: until then its
-- balance and its reserve are both too high by `paid`, and what is free of the pool is right at all times.
create table ledger_pool_parts (
  batch text collate "C" not null,
  part integer not null,
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null check (amount > 0),
  paid bigint not null default 0,
  primary key (batch, part, account, asset),
  foreign key (account, asset) references ledger_pools (account, asset),
  constraint ledger_pool_parts_paid check (paid between 0 and amount)
) with (fillfactor = 50);

-- What is staged and not yet posted when this migration runs.
insert into ledger_pool_parts (batch, part, account, asset, accounting_day, amount)
select 'settlement/' || r.day, r.range_id, due.account, due.asset, r.day, sum(due.amount)::bigint
from settlement_ranges as r
join settlement_days as d on d.day = r.day and d.state = 'staged'
cross join lateral (
  select case class when 'static' then 'yield_pool' else 'commission_pool' end as account, line.asset, line.amount
  from settlement_rewards, lateral (values ('USDT', usdt_micros), ('AMC', amc_micros)) as line (asset, amount)
  where member_id between r.first_member_id and r.last_member_id
  union all
  select 'savings_pool', asset, paid_micros from settlement_interest
  where member_id between r.first_member_id and r.last_member_id
  union all
  select 'dividend_pool', line.asset, line.amount
  from settlement_dividends, lateral (values ('USDT', usdt_micros), ('AMC', amc_micros)) as line (asset, amount)
  where member_id between r.first_member_id and r.last_member_id
) as due
where r.posted_at is null and due.amount > 0
group by r.day, r.range_id, due.account, due.asset;

-- The pools and their days as the postings make them, whether credits are folded and parts closed or not.
create or replace view ledger_pool_sums as
  select p.account, p.asset, (p.balance + coalesce(c.amount, 0) - coalesce(parts.paid, 0))::bigint as balance,
    (p.reserved - coalesce(parts.paid, 0))::bigint as reserved
  from ledger_pools as p
  left join (select account, asset, sum(amount) as amount from ledger_pool_credits group by account, asset) as c
    using (account, asset)
  left join (select account, asset, sum(paid) as paid from ledger_pool_parts group by account, asset) as parts
    using (account, asset);
create or replace view ledger_pool_day_sums as
  select account, asset, accounting_day, sum(amount)::bigint as amount
  from (
    select account, asset, accounting_day, amount from ledger_pool_days
    union all
    select account, asset, accounting_day, amount from ledger_pool_credits
    union all
    select account, asset, accounting_day, -paid from ledger_pool_parts where paid > 0
  ) as parts
  group by account, asset, accounting_day;

-- A settled day updates nearly every row of these tables once. With room for that on its page, an update writes no index.
alter table ledger_heads set (fillfactor = 50);
alter table ledger_balances set (fillfactor = 50);
alter table orders set (fillfactor = 50);
alter table reward_totals set (fillfactor = 50);
alter table member_standings set (fillfactor = 50);

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

-- Posts transactions for many members: batch by batch one for each member who has lines of it, all of a batch under its key and
-- kind. Batches, flows (of a batch) and lines (along a flow) are parallel arrays; flows and lines name batches and flows by
-- their place. A member's transactions have the order of the batches, and their lines that of the lines. Pays from the reserve
-- of pools with p_from_reserve, from a part of it with p_part. Returns the number of transactions posted: all of them, or 0 when
-- exactly these were posted before. Checks, locks and errors are those of ledger_post; a member's debits are compared with the
-- balance before the call. Nothing may pass through clearing, and attested revenue is not for many.
-- Plans are made for the arrays at hand: their lengths decide between a lookup for each member and one pass over a range. Without
-- sequential scans neither reads a table whole, whatever the statistics say.
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
    return 0;
  end;
  perform ledger_enter_day(p_accounting_day, p_posted_at);
  if 'attested_revenue' = any (p_kinds) then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_keys[1]);
  elsif 'grant' = any (p_kinds) then
    perform ledger_require_grant(p_assets);
  end if;
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

-- Posts one transaction for each of many members, all under one key and kind: ledger_post_batches with a single batch.
create or replace function ledger_post_many(
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

drop function ledger_apply_many(bigint[], text[], text[], text[], bigint[]);
