-- Paid orders are booked many at once (decision 47).

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
    select p.entry, p.member, head.seq + row_number() over (partition by p.member order by p.entry) as seq
    from (select distinct entry, member from lines) as p join ledger_heads as head on head.member_id = p.member
  ), posted as (
    insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id,
      accounting_day, posted_at)
    select p.member, p.seq, e.kind, e.key, e.digest, e.cause_type, e.cause_id, p_accounting_day, p_posted_at
    from parts as p join entries as e using (entry)
  ), heads as (
    update ledger_heads as head set seq = last.seq
    from (select member, max(seq) as seq from parts group by member) as last where head.member_id = last.member
  )
  insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
  select l.member, p.seq, l.line, e.kind, l.asset, l.source, l.destination, l.amount, p_accounting_day
  from lines as l join parts as p using (entry, member) join entries as e using (entry);

  select d.* into v_short
  from (
    select l.member, l.asset, l.source, sum(l.amount) as amount
    from unnest(p_members, p_assets, p_sources, p_amounts) as l (member, asset, source, amount)
    group by l.member, l.asset, l.source
  ) as d
  left join ledger_balances as b on b.member_id = d.member and b.asset = d.asset and b.account = d.source
  where ledger_account_class(d.source) = 'member' and coalesce(b.balance, 0) < d.amount
  limit 1;
  if found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail =
      format('member %s has less than %s in %s %s', v_short.member, v_short.amount, v_short.source, v_short.asset);
  end if;
  with net as materialized (
    select l.member, l.asset, side.account, sum(side.delta)::bigint as delta
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) as l (member, asset, source, destination, amount),
      lateral (values (l.source, -l.amount), (l.destination, l.amount)) as side (account, delta)
    group by l.member, l.asset, side.account
  ), updated as (
    update ledger_balances as b set balance = b.balance + net.delta
    from net where b.member_id = net.member and b.asset = net.asset and b.account = net.account
    returning b.member_id, b.asset, b.account
  )
  insert into ledger_balances (member_id, asset, account, balance)
  select net.member, net.asset, net.account, net.delta
  from net left join updated as u on u.member_id = net.member and u.asset = net.asset and u.account = net.account
  where u.member_id is null;
  perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kinds[l.entry], l.asset, l.source, l.destination, sum(l.amount), count(*)
  from unnest(p_entries, p_assets, p_sources, p_destinations, p_amounts) as l (entry, asset, source, destination, amount)
  group by p_kinds[l.entry], l.asset, l.source, l.destination;
  return cardinality(p_keys);
end $$;
revoke execute on function ledger_post_each from public;
