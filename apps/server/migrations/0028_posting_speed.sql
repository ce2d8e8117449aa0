-- Cheaper postings that refuse the same (decision 24). PostgreSQL parses the checks of a table and the conditions of its
-- triggers with each statement that writes to it, so a table of every posting has few of them.

-- The lines that a trigger checks at the end of the database transaction, with what it needs to know of their transaction.
-- They are a copy, in a table that few transactions write to. `ledger_post` and `ledger_post_many` write it.
create table ledger_guarded (
  member_id bigint not null,
  seq bigint not null,
  line smallint not null,
  kind text not null,
  asset text not null,
  source text not null,
  destination text not null,
  amount bigint not null,
  idempotency_key text collate "C" not null,
  cause_type text not null,
  cause_id text not null,
  primary key (member_id, seq, line)
);
create trigger append_only before update or delete or truncate on ledger_guarded
  for each statement execute function ledger_refuse_change();

drop trigger guard_undoing on ledger_transactions;
create constraint trigger guard_undoing after insert on ledger_guarded deferrable initially deferred
  for each row when (new.kind in ('reversal_advance', 'shortfall_cover')) execute function guard_undoing();
drop trigger guard_exit on ledger_transactions;
create constraint trigger guard_exit after insert on ledger_guarded deferrable initially deferred
  for each row when (new.kind in ('exit_hold', 'exit_release', 'treasury_payout')) execute function guard_exit_posting();
drop trigger guard_fund_investing on ledger_postings;
create constraint trigger guard_fund_investing after insert on ledger_guarded deferrable initially deferred
  for each row when (new.kind in ('fund_invest', 'fund_divest')) execute function guard_fund_investing();

-- Raises RL011 unless the net assets of a product cover its units at the NAV and its cash covers what is announced. Checked
-- at the end of every database transaction that could change it: one that changes the product or takes cash of it.
create or replace function check_fund_backing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_product bigint;
  v_found record;
begin
  if tg_table_name = 'fund_products' then
    v_product := new.product_id;
  else
    v_product := substring(new.source from '[0-9]+$')::bigint;
  end if;
  select p.nav_micros, p.units_outstanding, p.invested_micros, p.announced_micros, coalesce(c.balance, 0) as cash
    into v_found
  from fund_products as p
  left join ledger_pools as c on c.account = format('fund_custody:%s', v_product) and c.asset = 'USDT'
  where p.product_id = v_product;
  if v_found.cash::numeric + v_found.invested_micros < v_found.nav_micros::numeric * v_found.units_outstanding
    or v_found.cash < v_found.announced_micros
  then
    raise exception 'FUND_NOT_BACKED' using errcode = 'RL011', detail = format(
      'product %s: cash %s, announced %s, invested %s, NAV %s, units %s', v_product, v_found.cash,
      v_found.announced_micros, v_found.invested_micros, v_found.nav_micros, v_found.units_outstanding);
  end if;
  return null;
end $$;
drop trigger backed on ledger_pools;
-- It runs after the triggers above, which fire in the order of their names: they name the cause.
create constraint trigger keep_backing after insert on ledger_guarded deferrable initially deferred
  for each row when (new.source like 'fund\_custody:%') execute function check_fund_backing();

-- Returns whether the columns of a transaction's lines have one length. A line without a member would change the pools and be
-- in nobody's books.
create function ledger_equal_lengths(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns boolean
language sql immutable parallel safe
return cardinality(p_members) = all (array[
  cardinality(p_assets), cardinality(p_sources), cardinality(p_destinations), cardinality(p_amounts)]);

-- Returns whether the lines of a transaction are checked at the end of the database transaction.
create function ledger_is_guarded(p_kind text, p_sources text[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return p_kind in ('reversal_advance', 'shortfall_cover', 'exit_hold', 'exit_release', 'treasury_payout', 'fund_invest',
      'fund_divest')
    or array_to_string(p_sources, ' ') like '%fund\_custody:%';
end $$;

-- Hands the lines of a transaction to the triggers that check it.
create function ledger_guard(p_key text, p_members bigint[]) returns void
language sql as $$
  insert into ledger_guarded (member_id, seq, line, kind, asset, source, destination, amount, idempotency_key, cause_type,
    cause_id)
  select p.member_id, p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, t.idempotency_key, t.cause_type,
    t.cause_id
  from ledger_transactions as t join ledger_postings as p using (member_id, seq)
  where t.member_id = any (p_members) and t.idempotency_key = p_key;
$$;

-- Returns whether the flow table allows a posting. `X:reversal` may do what X may, in the opposite direction; that it
-- mirrors a transaction is checked when it is posted. No part of a flow contains a space or '>', so the joined text is
-- unambiguous. `= any` would hash the whole table, once in each database transaction.
create or replace function ledger_flow_allowed(kind text, asset text, source text, destination text) returns boolean
language plpgsql immutable parallel safe as $$
declare
  v_source text := source;
  v_destination text := destination;
begin
  if starts_with(source, 'fund_custody:') or starts_with(destination, 'fund_custody:') then
    v_source := regexp_replace(source, '^fund_custody:[0-9]+$', 'fund_custody');
    v_destination := regexp_replace(destination, '^fund_custody:[0-9]+$', 'fund_custody');
  end if;
  return array_position(public.ledger_flow_list(), case
    when kind like '%:reversal' then left(kind, -9) || ' ' || asset || ' ' || v_destination || '>' || v_source
    else kind || ' ' || asset || ' ' || v_source || '>' || v_destination
  end) is not null;
end $$;

-- Returns whether an account exists and may have a balance: a member's account is never negative.
create function ledger_balance_allowed(account text, balance bigint) returns boolean
language plpgsql immutable parallel safe as $$
declare
  v_class text := public.ledger_account_class(account);
begin
  return v_class is not null and (balance >= 0 or v_class <> 'member');
end $$;
alter table ledger_balances
  drop constraint ledger_balances_account,
  drop constraint ledger_balances_not_negative,
  add constraint ledger_balances_not_negative check (ledger_balance_allowed(account, balance));

-- Applies a line to the member's balances. The caller holds the lock of the member's head, so no other transaction can write
-- between the update and the insert. Raises RL001.
create function ledger_move(p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint) returns void
language plpgsql as $$
declare
  v_moved int;
  v_opened int;
begin
  update ledger_balances set balance = balance + case account when p_source then -p_amount else p_amount end
  where member_id = p_member and asset = p_asset and account in (p_source, p_destination)
    and (account <> p_source or balance >= p_amount or ledger_account_class(account) <> 'member');
  get diagnostics v_moved = row_count;
  if v_moved < 2 then
    insert into ledger_balances (member_id, asset, account, balance)
    select p_member, p_asset, side.account, side.delta
    from (values (p_source, -p_amount), (p_destination, p_amount)) as side (account, delta)
    where side.delta > 0 or ledger_account_class(side.account) <> 'member'
    on conflict (member_id, asset, account) do nothing;
    get diagnostics v_opened = row_count;
    if v_moved + v_opened < 2 then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('member %s has less than %s in %s %s', p_member, p_amount, p_source, p_asset);
    end if;
  end if;
end $$;

-- Posts one transaction, given as parallel arrays with one element for each line. Returns true when it was posted, and
-- false when the same transaction had been posted before. Locks pools, then heads in ascending order; every statement on
-- a distributed table touches one member. Raises RL001 (a member's account or a pool has too little), RL002 (the key was
-- used for another content) or RL003 (clearing does not net to zero, or the columns differ in length), and the errors of the
-- functions above. A line outside the flow table, an unknown asset and an amount of zero violate a check. A transaction that is
-- known is not checked again.
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
  if not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if ('clearing' = any (p_sources) or 'clearing' = any (p_destinations))
    -- The two lines of a transfer.
    and (cardinality(p_members) = 2 and p_destinations[1] = 'clearing' and p_sources[2] = 'clearing'
      and p_sources[1] <> 'clearing' and p_destinations[2] <> 'clearing'
      and p_assets[1] = p_assets[2] and p_amounts[1] = p_amounts[2]) is not true
  then
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
        if p_kind = 'attested_revenue' then
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
    v_done := ledger_move(
      v_member, p_assets[v_line], p_sources[v_line], p_destinations[v_line], p_amounts[v_line]);
  end loop;
  if v_touches_pools then
    v_done := ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, l.amount, 1
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount);
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
  if not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
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
  if p_kind = 'attested_revenue' then
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
  if ledger_is_guarded(p_kind, p_sources) then
    perform ledger_guard(p_key, p_members);
    if p_kind in ('treasury_payout', 'exit_hold') then
      perform ledger_require_operator_funds(p_assets, p_sources);
    end if;
  end if;
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  return cardinality(v_members);
end $$;

drop function ledger_apply(bigint, text, text, bigint);
