-- What the database itself refuses, whoever writes as the application's role (rules, section 2; decision 24).

-- Whether the clock of the events is another one than the database's: simulations, tests, and the demonstration while it
-- is written. Only the owner of the database changes the row.
create table ledger_simulation (
  is_simulation boolean not null
);
create unique index ledger_simulation_one_row on ledger_simulation ((true));
insert into ledger_simulation (is_simulation) values (false);

-- The flow table, with the asset of each flow: kind, asset, source and destination.
create or replace function ledger_flow_list() returns text[]
language sql immutable parallel safe
return array[
  'order_payment USDT external>commission_pool',
  'order_payment AMC external>commission_pool',
  'order_payment USDT external>revenue',
  'order_payment AMC external>revenue',
  'order_discount_hold RIF available>locked',
  'order_discount_release RIF locked>available',
  'order_discount_spend RIF locked>revenue',
  'unmatched_payment USDT external>suspense',
  'unmatched_payment AMC external>suspense',
  'suspense_release USDT suspense>available',
  'suspense_release AMC suspense>available',
  'suspense_release USDT suspense>clearing',
  'suspense_release AMC suspense>clearing',
  'suspense_release USDT clearing>available',
  'suspense_release AMC clearing>available',
  'commission USDT commission_pool>available',
  'commission AMC commission_pool>locked',
  'pairing USDT commission_pool>available',
  'pairing AMC commission_pool>locked',
  'management USDT commission_pool>available',
  'management AMC commission_pool>locked',
  'static USDT yield_pool>available',
  'static AMC yield_pool>locked',
  'release AMC locked>available',
  'withdrawal_request USDT available>withdrawing',
  'withdrawal_request AMC available>withdrawing',
  'withdrawal_return USDT withdrawing>available',
  'withdrawal_return AMC withdrawing>available',
  'withdrawal_paid USDT withdrawing>external',
  'withdrawal_paid AMC withdrawing>external',
  'withdrawal_paid USDT withdrawing>fees',
  'withdrawal_paid AMC withdrawing>fees',
  'attested_revenue USDT external>yield_pool',
  'attested_revenue AMC external>yield_pool',
  'attested_revenue USDT external>savings_pool',
  'attested_revenue AMC external>savings_pool',
  'attested_revenue USDT external>dividend_pool',
  'attested_revenue AMC external>dividend_pool',
  'attested_proceeds USDT external>fund_custody:proceeds',
  'grant RIF external>available',
  'grant USDT external>available',
  'grant AMC external>available',
  'grant VC external>available',
  'grant DIV external>available',
  'transfer USDT available>clearing',
  'transfer AMC available>clearing',
  'transfer USDT clearing>available',
  'transfer AMC clearing>available',
  'savings_in USDT available>savings',
  'savings_in AMC available>savings',
  'savings_out USDT savings>savings_leaving',
  'savings_out AMC savings>savings_leaving',
  'savings_arrival USDT savings_leaving>available',
  'savings_arrival AMC savings_leaving>available',
  'savings_interest USDT savings_pool>savings',
  'savings_interest AMC savings_pool>savings',
  'hash_power_purchase AMC available>revenue',
  'hash_power_purchase RIF external>available',
  'exchange RIF available>revenue',
  'exchange VC external>available',
  'exchange DIV external>available',
  'dividend USDT dividend_pool>available',
  'dividend AMC dividend_pool>available',
  'vc_subscription VC available>locked',
  'vc_allocation VC locked>revenue',
  'vc_allocation VC locked>available',
  'fund_purchase USDT available>fund_custody:principal',
  'fund_purchase USDT available>fees',
  'fund_purchase USDT external>fund_custody:principal',
  'fund_purchase USDT external>fees',
  'fund_redemption USDT fund_custody:principal>available',
  'fund_redemption USDT fund_custody:principal>fees',
  'fund_redemption USDT fund_custody:principal>fund_custody:proceeds',
  'fund_redemption USDT fund_custody:proceeds>available',
  'fund_redemption USDT fund_custody:proceeds>fees',
  'fund_income USDT fees>fund_income',
  'fund_income_transfer USDT fund_income>available',
  'reversal_advance USDT shortfall>available',
  'reversal_advance RIF shortfall>available',
  'reversal_advance AMC shortfall>locked',
  'reversal_advance USDT shortfall>commission_pool',
  'reversal_advance AMC shortfall>commission_pool',
  'payment_made_good USDT shortfall>external',
  'payment_made_good AMC shortfall>external',
  'debt_repayment USDT available>shortfall',
  'debt_repayment AMC available>shortfall',
  'debt_repayment RIF available>shortfall',
  'shortfall_cover USDT revenue>shortfall',
  'shortfall_cover AMC revenue>shortfall',
  'shortfall_cover USDT fees>shortfall',
  'shortfall_cover AMC fees>shortfall',
  'shortfall_cover USDT shortfall>revenue',
  'shortfall_cover AMC shortfall>revenue',
  'shortfall_cover USDT shortfall>fees',
  'shortfall_cover AMC shortfall>fees'
];

-- Returns whether the flow table allows a posting. `X:reversal` may do what X may, in the opposite direction; that it
-- mirrors a transaction is checked when it is posted. Money moves between two custodies of one product only. No part of a
-- flow contains a space or '>', so the joined text is unambiguous.
create function ledger_flow_allowed(kind text, asset text, source text, destination text) returns boolean
language plpgsql immutable parallel safe as $$
declare
  v_source text := source;
  v_destination text := destination;
begin
  if source like 'fund\_custody:%' or destination like 'fund\_custody:%' then
    if substring(source from '^fund_custody:([0-9]+):') <> substring(destination from '^fund_custody:([0-9]+):') then
      return false;
    end if;
    v_source := regexp_replace(source, '^fund_custody:[0-9]+:', 'fund_custody:');
    v_destination := regexp_replace(destination, '^fund_custody:[0-9]+:', 'fund_custody:');
  end if;
  return case
    when kind like '%:reversal' then left(kind, -9) || ' ' || asset || ' ' || v_destination || '>' || v_source
    else kind || ' ' || asset || ' ' || v_source || '>' || v_destination
  end = any (public.ledger_flow_list());
end $$;

drop view ledger_flows;
create view ledger_flows as
  select split_part(flow, ' ', 1) as kind,
         split_part(flow, ' ', 2) as asset,
         split_part(split_part(flow, ' ', 3), '>', 1) as source,
         split_part(split_part(flow, ' ', 3), '>', 2) as destination
  from unnest(ledger_flow_list()) as flow;

alter table ledger_postings
  drop constraint ledger_postings_flow,
  add constraint ledger_postings_flow check (ledger_flow_allowed(kind, asset, source, destination));
drop function ledger_flow_allowed(text, text, text);

-- Admits a posting to an accounting day until the transaction ends. Raises RL005 when the day, or a later one, is settled,
-- and RL006 when the posting's time is more than a second outside the transaction's, by the clock of the database. The
-- shared lock lets postings run side by side; the settlement of the day waits for it. Each statement needs a snapshot of
-- its own, because a day may have been settled while the lock was awaited.
create function ledger_enter_day(p_accounting_day date, p_posted_at timestamptz) returns boolean
language plpgsql as $$
declare
  -- An expression runs without a plan of its own, which costs a tenth of `perform`.
  v_locked text;
begin
  if p_posted_at not between transaction_timestamp() - interval '1 second' and clock_timestamp() + interval '1 second'
    and not (select is_simulation from ledger_simulation)
  then
    raise exception 'CLOCK_DIFFERS' using errcode = 'RL006', detail = format(
      'posted at %s, the database has %s, the transaction began at %s',
      p_posted_at, clock_timestamp(), transaction_timestamp());
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'postings need the isolation level read committed' using errcode = 'RL005';
  end if;
  v_locked := pg_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01');
  if exists (select from settlement_days where day >= p_accounting_day and state = 'settled') then
    raise exception 'DAY_SETTLED' using errcode = 'RL005', detail = format('%s is settled', p_accounting_day);
  end if;
  return true;
end $$;

-- Raises RL008 unless a posting of attested revenue has the only line of an approved attestation: its pool, asset and
-- amount, under its key. Member 0 is the operator.
create function ledger_require_attestation(
  p_key text, p_kind text, p_cause_type text, p_cause_id text,
  p_members bigint[], p_assets text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
begin
  if p_members = array[0::bigint] and p_cause_type = 'attestation' and p_key = 'attestation/' || p_cause_id then
    perform from attestations
    where attestation_id::text = p_cause_id and approved_at is not null and undone_at is null
      and asset = p_assets[1] and amount_micros = p_amounts[1]
      and case pool when 'fund_proceeds' then 'attested_proceeds' else 'attested_revenue' end = p_kind
      and case pool when 'fund_proceeds' then format('fund_custody:%s:proceeds', product_id) else pool end
        = p_destinations[1];
    if found then
      return;
    end if;
  end if;
  raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_key);
end $$;

-- Raises RL009 for a grant of anything but RIF: test deposits are for simulations only.
create function ledger_require_grant(p_assets text[]) returns void
language plpgsql as $$
begin
  if not p_assets <@ '{RIF}' and not (select is_simulation from ledger_simulation) then
    raise exception 'TEST_DEPOSIT' using errcode = 'RL009', detail = 'only RIF is granted';
  end if;
end $$;

-- Returns the number of the member's transaction that the lines mirror: its own lines from the last to the first, each in
-- the opposite direction, with those of all its members. The digest of a transaction covers all of that. Raises RL007.
create function ledger_mirrored(
  p_member bigint, p_reverses_key text, p_kind text,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns bigint
language plpgsql as $$
declare
  v_seq bigint;
begin
  select t.seq into v_seq
  from ledger_transactions as t, (
    select array_agg(member order by line desc) as members, array_agg(asset order by line desc) as assets,
      array_agg(source order by line desc) as sources, array_agg(destination order by line desc) as destinations,
      array_agg(amount order by line desc) as amounts
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
      as l (member, asset, destination, source, amount, line)
  ) as mirror
  where t.member_id = p_member and t.idempotency_key = p_reverses_key and t.content_digest = ledger_content_digest(
    left(p_kind, -9), t.cause_type, t.cause_id,
    mirror.members, mirror.assets, mirror.sources, mirror.destinations, mirror.amounts);
  if v_seq is null then
    raise exception 'NOT_A_MIRROR' using errcode = 'RL007', detail = format('of key %s', p_reverses_key);
  end if;
  return v_seq;
end $$;

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
  v_line int;
  v_member bigint;
  v_seq bigint;
  v_reverses_seq bigint;
  v_is_checked boolean := false;
begin
  if 'clearing' = any (p_sources) or 'clearing' = any (p_destinations) then
    perform from ledger_net(p_assets, p_sources, p_destinations, p_amounts) where account = 'clearing' and delta <> 0;
    if found then
      raise exception 'clearing does not net to zero' using errcode = 'RL003', detail = format('key %s', p_key);
    end if;
  end if;
  if v_touches_pools then
    perform ledger_lock(p_sources || p_destinations, '{}');
  end if;

  for v_line in select line from unnest(p_members) with ordinality as l(member, line) order by member, line loop
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
        v_is_checked := ledger_enter_day(p_accounting_day, p_posted_at);
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
    perform ledger_apply(v_member, p_assets[v_line], p_sources[v_line], -p_amounts[v_line]);
    perform ledger_apply(v_member, p_assets[v_line], p_destinations[v_line], p_amounts[v_line]);
  end loop;
  if v_touches_pools then
    perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select p_accounting_day, p_kind, l.asset, l.source, l.destination, l.amount, 1
  from unnest(p_assets, p_sources, p_destinations, p_amounts) as l (asset, source, destination, amount);
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
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
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  return cardinality(v_members);
end $$;

-- Guards the progress of settlement: a day that has ended, in order, and only forward. Closing a day waits for the postings
-- to it that are under way.
create function guard_settlement_day() returns trigger
language plpgsql set search_path = public, pg_temp as $$
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
  end if;
  return new;
end $$;
create trigger guarded before insert or update on settlement_days
  for each row execute function guard_settlement_day();
create trigger append_only before delete or truncate on settlement_days
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on settlement_start
  for each statement execute function refuse_change();

-- An attestation is prepared once and approved once, when the deposit on chain has its asset, amount and document. It is
-- undone once, after its posting was reversed.
create function guard_attestation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.approved_at is null then
      return new;
    end if;
  elsif old.approved_at is null and new.approved_at is not null
    and to_jsonb(new) - '{approved_by,approved_at}'::text[] = to_jsonb(old) - '{approved_by,approved_at}'::text[]
  then
    perform from revenue_deposits
    where deposit_id = new.deposit_id and asset = new.asset and amount_micros = new.amount_micros
      and document_hash = new.document_hash;
    if found then
      return new;
    end if;
  elsif old.undone_at is null and new.undone_at is not null
    and to_jsonb(new) - 'undone_at' = to_jsonb(old) - 'undone_at'
  then
    perform from ledger_transactions
    where member_id = 0 and idempotency_key = format('attestation/%s:reversal', new.attestation_id);
    if found then
      return new;
    end if;
  end if;
  raise exception 'attestation % cannot be written in this way', new.attestation_id using errcode = 'RL008';
end $$;
create trigger guarded before insert or update on attestations
  for each row execute function guard_attestation();
create trigger append_only before delete or truncate on attestations
  for each statement execute function refuse_change();

-- Empties the results of a day that is settled. The application's role may not truncate tables.
create function settlement_clear_stage() returns void
language sql security definer set search_path = public, pg_temp as $$
  truncate settlement_members, settlement_rewards, settlement_interest, settlement_dividends;
$$;
