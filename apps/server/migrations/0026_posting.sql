-- The same checks of a posting for less time (decision 24).

-- The last settled day, as a number of days since 2000. It is at least that of every settlement that is committed, and more
-- when one was rolled back, so a later day is open for certain. Without a transaction of its own it is read at once.
create sequence ledger_settled_day as integer minvalue -2147483648;
select setval('ledger_settled_day', coalesce(
  (select max(day) - date '2000-01-01' from settlement_days where state = 'settled'), -2147483648));

-- Guards the progress of settlement: a day that has ended, in order, and only forward. Closing a day waits for the postings
-- to it that are under way. It writes `ledger_settled_day`, so it runs as the owner.
create or replace function guard_settlement_day() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'fixed' or new.day is distinct from coalesce(
        (select max(day) + 1 from settlement_days), (select first_day from settlement_start))
      or (new.day >= (clock_timestamp() at time zone 'UTC')::date and not (select is_simulation from ledger_simulation))
    then
      raise exception 'day % cannot be settled now', new.day using errcode = 'RL010';
    end if;
    return new;
  end if;
  if new.day <> old.day or (old.state, new.state) not in (('fixed', 'staged'), ('staged', 'settled')) then
    raise exception 'day % does not go from % to %', old.day, old.state, new.state using errcode = 'RL010';
  end if;
  if new.state = 'settled' then
    perform pg_advisory_xact_lock(1818517881, new.day - date '2000-01-01');
    perform setval('ledger_settled_day', greatest(new.day - date '2000-01-01', pg_sequence_last_value('ledger_settled_day')));
  end if;
  return new;
end $$;

-- Raises RL001 when a payout of the operator leaves less than nothing in revenue or fees, which have no row to lock. The
-- payouts of all processes wait for each other. Only the functions below write the flows that it adds up.
create function ledger_require_operator_funds(p_assets text[], p_sources text[]) returns void
language plpgsql as $$
declare
  v_short record;
begin
  perform pg_advisory_xact_lock(1718969459, 0);
  select paid.asset, paid.source, sum(case s.destination when paid.source then s.amount else -s.amount end) as held
  into v_short
  from (select distinct asset, source from unnest(p_assets, p_sources) as l (asset, source)
    where source in ('revenue', 'fees')) as paid
  join ledger_flow_sums as s on s.asset = paid.asset and paid.source in (s.source, s.destination)
  group by paid.asset, paid.source
  having sum(case s.destination when paid.source then s.amount else -s.amount end) < 0
  limit 1;
  if found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('%s has %s %s less than was paid', v_short.source, -v_short.held, v_short.asset);
  end if;
end $$;
drop trigger guard_operator_payout on ledger_flow_deltas;
drop function guard_operator_payout();

create or replace function guard_fund_investing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_prefix text := case new.kind when 'fund_invest' then 'fund-investment/' else 'fund-divestment/' end;
begin
  if new.kind not in ('fund_invest', 'fund_divest') then
    return null;
  end if;
  perform from ledger_transactions as t
  left join fund_investments as i on new.kind = 'fund_invest' and i.investment_id::text = t.cause_id
    and i.state in ('announced', 'invested') and i.cost_micros = new.amount
    and new.source = format('fund_custody:%s', i.product_id)
  left join fund_valuations as v on new.kind = 'fund_divest' and v.valuation_id::text = t.cause_id
    and v.state = 'applied' and v.amount_micros = new.amount
    and new.destination = format('fund_custody:%s', v.product_id)
  where t.member_id = 0 and t.member_id = new.member_id and t.seq = new.seq and num_nonnulls(i.product_id, v.product_id) = 1
    and t.idempotency_key = v_prefix || t.cause_id || (
      select case count(*) when 0 then '' else '/' || count(*) + 1 end from ledger_transactions as r
      where r.member_id = 0 and r.kind = new.kind || ':reversal' and r.idempotency_key like v_prefix || '%'
        and r.idempotency_key ~ ('^' || v_prefix || t.cause_id || '(/[0-9]+)?:reversal$'));
  if not found then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('%s of %s', new.kind, new.amount);
  end if;
  return null;
end $$;
drop trigger guard_fund_investing on ledger_postings;
-- A condition is parsed for each posting, so it is short.
create constraint trigger guard_fund_investing after insert on ledger_postings deferrable initially deferred
  for each row when (starts_with(new.kind, 'fund_')) execute function guard_fund_investing();

-- Posts one transaction, given as parallel arrays with one element for each line. Returns true when it was posted, and
-- false when the same transaction had been posted before. Locks pools, then heads in ascending order; every statement on
-- a distributed table touches one member. Raises RL001 (a member's account or a pool has too little), RL002 (the key was
-- used for another content) or RL003 (clearing does not net to zero), and the errors of the functions above. A line outside
-- the flow table, an unknown asset and an amount of zero violate a check. A transaction that is known is not checked again.
create or replace function ledger_post(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_reverses_key text default null
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_digest bytea := ledger_content_digest(
    p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations, p_amounts);
  v_touches_pools boolean := ledger_touches_pools(p_sources || p_destinations);
  v_lines int[];
  v_line int;
  v_member bigint;
  v_seq bigint;
  v_reverses_seq bigint;
  v_is_checked boolean := false;
  -- An expression runs without a plan of its own, which costs a tenth of `perform`.
  v_done text;
begin
  if 'clearing' = any (p_sources) or 'clearing' = any (p_destinations) then
    perform from ledger_net(p_assets, p_sources, p_destinations, p_amounts) where account = 'clearing' and delta <> 0;
    if found then
      raise exception 'clearing does not net to zero' using errcode = 'RL003', detail = format('key %s', p_key);
    end if;
  end if;
  if v_touches_pools then
    v_done := ledger_lock(p_sources || p_destinations, '{}');
  end if;

  -- Nearly all transactions have one line or two, whose order needs no statement.
  if cardinality(p_members) = 1 then
    v_lines := '{1}';
  elsif cardinality(p_members) = 2 then
    v_lines := case when p_members[1] <= p_members[2] then '{1,2}' else '{2,1}' end;
  else
    v_lines := array(select line from unnest(p_members) with ordinality as l(member, line) order by member, line);
  end if;
  foreach v_line in array v_lines loop
    if v_member is distinct from p_members[v_line] then
      v_member := p_members[v_line];
      insert into ledger_heads as head (member_id, seq) values (v_member, 1)
      on conflict (member_id) do update set seq = head.seq + 1
      returning seq into v_seq;
      if p_reverses_key is not null then
        v_reverses_seq := ledger_mirrored(v_member, p_reverses_key, p_kind,
          p_members, p_assets, p_sources, p_destinations, p_amounts);
      end if;
      insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id,
        accounting_day, posted_at, reverses_seq)
      values (v_member, v_seq, p_kind, p_key, v_digest, p_cause_type, p_cause_id,
        p_accounting_day, p_posted_at, v_reverses_seq)
      on conflict (member_id, idempotency_key) do nothing;
      if not found then
        -- The digest covers the lines of every member, so the first member decides, before anything else is written.
        perform from ledger_transactions
        where member_id = v_member and idempotency_key = p_key and content_digest = v_digest;
        if not found then
          raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
        end if;
        update ledger_heads set seq = seq - 1 where member_id = v_member;
        return false;
      end if;
      if not v_is_checked then
        -- The checks of ledger_enter_day for a day after the last settled one, by the database's clock, in one expression. Each
        -- that fails is left to that function.
        if (case
          when p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp() + interval '1 second'
            and current_setting('transaction_isolation') = 'read committed'
            and pg_try_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01')
          then p_accounting_day - date '2000-01-01' > pg_sequence_last_value('ledger_settled_day')
          else false end)
        then
          v_is_checked := true;
        else
          v_is_checked := ledger_enter_day(p_accounting_day, p_posted_at);
        end if;
        if p_kind in ('attested_revenue', 'attested_proceeds') then
          perform ledger_require_attestation(p_key, p_kind, p_cause_type, p_cause_id,
            p_members, p_assets, p_destinations, p_amounts);
        elsif p_kind = 'grant' then
          perform ledger_require_grant(p_assets);
        end if;
      end if;
    end if;
    insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
    values (v_member, v_seq, v_line, p_kind, p_assets[v_line], p_sources[v_line], p_destinations[v_line],
      p_amounts[v_line], p_accounting_day);
    v_done := ledger_apply(v_member, p_assets[v_line], p_sources[v_line], -p_amounts[v_line]);
    v_done := ledger_apply(v_member, p_assets[v_line], p_destinations[v_line], p_amounts[v_line]);
  end loop;
  if v_touches_pools then
    v_done := ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, l.amount, 1
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount);
  if p_kind in ('treasury_payout', 'exit_hold') then
    perform ledger_require_operator_funds(p_assets, p_sources);
  end if;
  if p_assets && '{DIV,VC}' then
    v_done := ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  return true;
end $$;

-- Posts one transaction for each of many members, all under the same key, which is unique per member. The lines are
-- parallel arrays; a member's transaction is that member's lines in their order. Returns the number of transactions
-- posted: all of them, or 0 when exactly these were posted before. Checks, locks and errors are those of ledger_post; a
-- member's debits are compared with the balance before the call. Nothing may pass through clearing, and attested revenue
-- is not for many.
create or replace function ledger_post_many(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_from_reserve boolean
) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_members bigint[] := array(select distinct member from unnest(p_members) as member order by member);
  v_touches_pools boolean := ledger_touches_pools(p_sources || p_destinations);
  v_known bigint;
begin
  if 'clearing' = any (p_sources) or 'clearing' = any (p_destinations) then
    raise exception 'clearing is not for many' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if v_touches_pools then
    perform ledger_lock(p_sources || p_destinations, '{}');
  end if;
  insert into ledger_heads (member_id, seq)
  select member, 0 from unnest(v_members) as member on conflict (member_id) do nothing;
  perform from ledger_heads where member_id = any (v_members) order by member_id for update;

  select count(*) into v_known from ledger_transactions
  where member_id = any (v_members) and idempotency_key = p_key;
  if v_known > 0 then
    if (select count(*) from ledger_transactions as t
        join ledger_member_digests(p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations,
          p_amounts) as d on d.member_id = t.member_id and d.digest = t.content_digest
        where t.idempotency_key = p_key) < cardinality(v_members)
    then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
    end if;
    return 0;
  end if;
  perform ledger_enter_day(p_accounting_day, p_posted_at);
  if p_kind in ('attested_revenue', 'attested_proceeds') then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_key);
  elsif p_kind = 'grant' then
    perform ledger_require_grant(p_assets);
  end if;

  update ledger_heads set seq = seq + 1 where member_id = any (v_members);
  insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id,
    accounting_day, posted_at)
  select d.member_id, head.seq, p_kind, p_key, d.digest, p_cause_type, p_cause_id, p_accounting_day, p_posted_at
  from ledger_member_digests(p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations,
    p_amounts) as d
  join ledger_heads as head using (member_id);
  insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
  select l.member, head.seq, row_number() over (partition by l.member order by l.ordinality), p_kind, l.asset,
    l.source, l.destination, l.amount, p_accounting_day
  from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
    as l (member, asset, source, destination, amount)
  join ledger_heads as head on head.member_id = l.member;
  perform ledger_apply_many(p_members, p_assets, p_sources, p_destinations, p_amounts);
  if v_touches_pools then
    perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts, p_from_reserve);
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, sum(l.amount), count(*)
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount)
  group by l.asset, l.source, l.destination;
  if p_kind in ('treasury_payout', 'exit_hold') then
    perform ledger_require_operator_funds(p_assets, p_sources);
  end if;
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  return cardinality(v_members);
end $$;
