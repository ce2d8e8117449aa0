-- The ledger (rules, section 2). Amounts are micro-units of one asset.
--
-- A posting moves a positive amount of one asset from a source to a destination account, so it is balanced by
-- construction. Both accounts belong to one member: an operator account appears in each member's books as a contra
-- account, and its real balance is the sum over all members. Nearly every transaction therefore touches the rows of one
-- member, no operator row is contended, and every table whose key starts with member_id can be distributed by it.
-- A transfer between members is two balanced halves that meet in the account `clearing`.

-- The functions in checks are plpgsql: PostgreSQL inlines a check that calls an SQL function, so every statement would
-- parse and plan it again, which doubled the cost of a posting. They name what they call with its schema, for pg_restore.

-- Returns the accounts of operator money that may be spent. Each is reserved through its row in ledger_pools.
create function ledger_pool_accounts() returns text[]
language sql immutable parallel safe
return array['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense'];

-- Returns the class of an account: `member` (a liability, never negative), `pool`, `operator`, `clearing` (zero per
-- transaction) or `external` (the outside world); null when the account does not exist. The custody of each fund product
-- is two pools, `fund_custody:<product>:principal` and `...:proceeds`: money that leaves a custody belongs to that
-- product, and a gain is paid out of attested proceeds only.
create function ledger_account_class(account text) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when account in ('available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income') then 'member'
    when account = any (public.ledger_pool_accounts()) then 'pool'
    when account in ('revenue', 'fees') then 'operator'
    when account in ('clearing', 'external') then account
    when account ~ '^fund_custody:[1-9][0-9]{0,17}:(principal|proceeds)$' then 'pool'
  end;
end $$;

-- Returns whether any of the accounts is a pool.
create function ledger_touches_pools(accounts text[]) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return accounts && public.ledger_pool_accounts() or array_to_string(accounts, ' ') like '%fund\_custody:%';
end $$;

-- The flow table: from which account to which each kind of transaction may move money. A custody appears without its
-- product. Only attested revenue reaches yield_pool, savings_pool, dividend_pool and the proceeds of a custody.
create function ledger_flow_list() returns text[]
language sql immutable parallel safe
return array[
  'order_payment external>commission_pool',
  'order_payment external>revenue',
  'order_discount_hold available>locked',
  'order_discount_release locked>available',
  'order_discount_spend locked>revenue',
  'unmatched_payment external>suspense',
  'suspense_release suspense>available',
  'suspense_release suspense>clearing',
  'suspense_release clearing>available',
  'commission commission_pool>available',
  'commission commission_pool>locked',
  'pairing commission_pool>available',
  'pairing commission_pool>locked',
  'management commission_pool>available',
  'management commission_pool>locked',
  'static yield_pool>available',
  'static yield_pool>locked',
  'release locked>available',
  'withdrawal_request available>withdrawing',
  'withdrawal_return withdrawing>available',
  'withdrawal_paid withdrawing>external',
  'withdrawal_paid withdrawing>fees',
  'attested_revenue external>yield_pool',
  'attested_revenue external>savings_pool',
  'attested_revenue external>dividend_pool',
  'attested_proceeds external>fund_custody:proceeds',
  'grant external>available',
  'transfer available>clearing',
  'transfer clearing>available',
  'savings_in available>savings',
  'savings_out savings>savings_leaving',
  'savings_arrival savings_leaving>available',
  'savings_interest savings_pool>savings',
  'hash_power_purchase available>revenue',
  'hash_power_purchase external>available',
  'exchange available>revenue',
  'exchange external>available',
  'dividend dividend_pool>available',
  'vc_subscription available>locked',
  'vc_allocation locked>revenue',
  'vc_allocation locked>available',
  'fund_purchase available>fund_custody:principal',
  'fund_purchase available>fees',
  'fund_purchase external>fund_custody:principal',
  'fund_purchase external>fees',
  'fund_redemption fund_custody:principal>available',
  'fund_redemption fund_custody:principal>fees',
  'fund_redemption fund_custody:principal>fund_custody:proceeds',
  'fund_redemption fund_custody:proceeds>available',
  'fund_redemption fund_custody:proceeds>fees',
  'fund_income fees>fund_income',
  'fund_income_transfer fund_income>available'
];

-- Returns whether the flow table allows a posting. `X:reversal` may do what X may, in the opposite direction. Money moves
-- between two custodies of one product only. No part of a flow contains a space or '>', so the joined text is unambiguous.
create function ledger_flow_allowed(kind text, source text, destination text) returns boolean
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
    when kind like '%:reversal' then left(kind, -9) || ' ' || v_destination || '>' || v_source
    else kind || ' ' || v_source || '>' || v_destination
  end = any (public.ledger_flow_list());
end $$;

create view ledger_flows as
  select split_part(flow, ' ', 1) as kind,
         split_part(split_part(flow, ' ', 2), '>', 1) as source,
         split_part(split_part(flow, ' ', 2), '>', 2) as destination
  from unnest(ledger_flow_list()) as flow;

-- The number of a member's last transaction. Its row lock serialises all writes to the member's books.
create table ledger_heads (
  member_id bigint primary key,
  seq bigint not null check (seq >= 0)
) with (fillfactor = 80);

-- A member's part of a transaction. content_digest covers the whole transaction, including the lines of other members.
create table ledger_transactions (
  member_id bigint not null,
  seq bigint not null check (seq > 0),
  kind text not null,
  idempotency_key text collate "C" not null,
  content_digest bytea not null,
  cause_type text not null,
  cause_id text not null,
  accounting_day date not null,
  posted_at timestamptz not null,
  reverses_seq bigint,
  primary key (member_id, seq),
  unique (member_id, idempotency_key),
  unique (member_id, reverses_seq),
  foreign key (member_id, reverses_seq) references ledger_transactions (member_id, seq),
  check ((kind like '%:reversal') = (reverses_seq is not null))
);

-- kind and accounting_day repeat those of the transaction, so that the flow check and sums by day need no join.
-- line numbers the lines of the whole transaction, over all its members.
create table ledger_postings (
  member_id bigint not null,
  seq bigint not null,
  line smallint not null,
  kind text not null,
  asset text not null check (asset in ('USDT', 'AMC', 'RIF', 'VC', 'DIV')),
  source text not null,
  destination text not null,
  amount bigint not null check (amount > 0),
  accounting_day date not null,
  primary key (member_id, seq, line),
  foreign key (member_id, seq) references ledger_transactions (member_id, seq),
  constraint ledger_postings_flow check (ledger_flow_allowed(kind, source, destination))
);
-- A member's history of hash power.
create index ledger_postings_rif on ledger_postings (member_id, seq desc, line desc) where asset = 'RIF';
-- Changes of dividend rights after a given day.
create index ledger_postings_div on ledger_postings (accounting_day) where asset = 'DIV';
-- Transfers of fund income in a month, for the fund's bills.
create index ledger_postings_fund_income_moved on ledger_postings (member_id, accounting_day)
  where kind = 'fund_income_transfer';

-- The sum of the postings. The contra account of an operator may have either sign here.
create table ledger_balances (
  member_id bigint not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  balance bigint not null,
  primary key (member_id, asset, account),
  constraint ledger_balances_account check (ledger_account_class(account) is not null),
  constraint ledger_balances_not_negative check (ledger_account_class(account) <> 'member' or balance >= 0)
) with (fillfactor = 80);
-- Members with savings. Like the next index it leaves out the balance, so that an update of a balance changes no index.
create index ledger_balances_savings on ledger_balances (member_id, asset) where account = 'savings';
-- Holders of dividend rights and VC.
create index ledger_balances_shares on ledger_balances (asset, account)
  where asset in ('DIV', 'VC') and account in ('available', 'locked');

-- Money that a batch may spend is reserved in the single row of its pool. Coordinator tables, not distributed.
create table ledger_pools (
  account text not null check (ledger_account_class(account) = 'pool'),
  asset text not null,
  balance bigint not null default 0 check (balance >= 0),
  -- Set aside for payments that a settlement has fixed and not yet made.
  reserved bigint not null default 0,
  primary key (account, asset),
  constraint ledger_pools_reserved check (reserved between 0 and balance)
);
insert into ledger_pools (account, asset)
select account, asset from unnest(ledger_pool_accounts()) as account, unnest(array['USDT', 'AMC']) as asset;

-- The change of a pool on each accounting day, so that its balance at the end of a day is a sum.
create table ledger_pool_days (
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null,
  primary key (account, asset, accounting_day),
  foreign key (account, asset) references ledger_pools (account, asset)
);

-- The sums of the postings by accounting day and flow. Every figure of the books follows from them: a balance at the end
-- of a day is what came in up to that day less what went out.
create table ledger_flow_days (
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  -- May exceed any single amount.
  amount numeric(40) not null check (amount > 0),
  postings bigint not null check (postings > 0),
  primary key (accounting_day, kind, asset, source, destination)
);

-- Postings that are not yet added to ledger_flow_days. Rows are only appended, so concurrent postings do not wait for
-- each other, as they would for the one row of a day. It has no index, because it is always read whole.
create table ledger_flow_deltas (
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  amount numeric(40) not null,
  postings bigint not null
);

-- Exact at any time, whether the deltas are folded or not.
create view ledger_flow_sums as
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_days
  union all
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_deltas;

-- The dividend rights and VC that all members hold together, updated with every posting, so that a member's share costs
-- the same however many holders there are. Spread over 16 slots by member, so that two exchanges seldom wait for each other.
create table ledger_shares (
  asset text collate "C" not null check (asset in ('DIV', 'VC')),
  slot smallint not null check (slot between 0 and 15),
  -- May exceed any single amount.
  held numeric(40) not null check (held >= 0),
  primary key (asset, slot)
);
insert into ledger_shares (asset, slot, held)
select asset, slot, 0 from unnest(array['DIV', 'VC']) as asset, generate_series(0, 15) as slot;

-- Guards of rows that record a decision or an event: they stay as they were written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: its rows are never changed', tg_op, tg_table_name;
end $$;

-- The ledger is append-only for every role: a reversing transaction corrects a mistake.
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name using errcode = 'RL004';
end $$;

create trigger append_only before update or delete or truncate on ledger_transactions
  for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete or truncate on ledger_postings
  for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete or truncate on ledger_heads
  for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete or truncate on ledger_balances
  for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete or truncate on ledger_pools
  for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete or truncate on ledger_pool_days
  for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete or truncate on ledger_flow_days
  for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete or truncate on ledger_shares
  for each statement execute function ledger_refuse_change();

-- Returns the digest that must be equal for two calls with the same key. It leaves out times: a retry after midnight is
-- still a retry.
create function ledger_content_digest(
  kind text, cause_type text, cause_id text,
  members bigint[], assets text[], sources text[], destinations text[], amounts bigint[]
) returns bytea
language sql stable parallel safe
return sha256(convert_to(
  row(kind, cause_type, cause_id, members, assets, sources, destinations, amounts)::text, 'UTF8'));

-- Returns the content digest of each member's transaction in a call of ledger_post_many.
create function ledger_member_digests(
  p_kind text, p_cause_type text, p_cause_id text,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns table (member_id bigint, digest bytea)
language sql stable parallel safe
begin atomic
  select l.member, ledger_content_digest(p_kind, p_cause_type, p_cause_id,
    array_agg(l.member order by l.line), array_agg(l.asset order by l.line), array_agg(l.source order by l.line),
    array_agg(l.destination order by l.line), array_agg(l.amount order by l.line))
  from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
    as l (member, asset, source, destination, amount, line)
  group by l.member;
end;

-- Returns the net change of each account in a transaction, over all its members.
create function ledger_net(assets text[], sources text[], destinations text[], amounts bigint[])
returns table (account text, asset text, delta bigint)
language sql stable parallel safe
begin atomic
  select side.account, line.asset, sum(side.delta)::bigint
  from unnest(assets, sources, destinations, amounts) as line (asset, source, destination, amount),
       lateral (values (line.source, -line.amount), (line.destination, line.amount)) as side (account, delta)
  group by side.account, line.asset;
end;

-- Locks pools by account and asset, then heads by member: the fixed order of the ledger's locks.
create function ledger_lock(p_pools text[], p_members bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_member bigint;
begin
  if cardinality(p_pools) > 0 then
    perform from ledger_pools where account = any (p_pools) order by account, asset for update;
  end if;
  for v_member in select distinct member from unnest(p_members) as member order by member loop
    insert into ledger_heads (member_id, seq) values (v_member, 0) on conflict (member_id) do nothing;
    perform from ledger_heads where member_id = v_member for update;
  end loop;
end $$;

-- Applies one side of a posting to the member's balance. The caller holds the lock of the member's head, so no other
-- transaction can write between the update and the insert.
create function ledger_apply(p_member bigint, p_asset text, p_account text, p_delta bigint) returns void
language plpgsql as $$
begin
  update ledger_balances set balance = balance + p_delta
  where member_id = p_member and asset = p_asset and account = p_account
    and (p_delta > 0 or balance + p_delta >= 0 or ledger_account_class(account) <> 'member');
  if found then
    return;
  end if;
  if p_delta < 0 and ledger_account_class(p_account) = 'member' then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('member %s has less than %s in %s %s', p_member, -p_delta, p_account, p_asset);
  end if;
  insert into ledger_balances (member_id, asset, account, balance) values (p_member, p_asset, p_account, p_delta);
end $$;

-- Applies the lines of many members to their balances. The caller holds the locks of their heads.
create function ledger_apply_many(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_short record;
begin
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
end $$;

-- Applies a transaction to the pools, whose locks the caller holds. With p_from_reserve, money that leaves a pool is taken
-- from its reserve; otherwise the reserve stays as it is.
create function ledger_apply_pools(
  p_accounting_day date, p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_from_reserve boolean default false
) returns void
language plpgsql as $$
declare
  v_net record;
  v_reserve bigint;
begin
  for v_net in
    select * from ledger_net(p_assets, p_sources, p_destinations, p_amounts)
    where ledger_account_class(account) = 'pool' and delta <> 0
  loop
    v_reserve := case when p_from_reserve then v_net.delta else 0 end;
    update ledger_pools set balance = balance + v_net.delta, reserved = reserved + v_reserve
    where account = v_net.account and asset = v_net.asset
      and reserved + v_reserve between 0 and balance + v_net.delta;
    if not found then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('%s has less than %s %s', v_net.account, -v_net.delta, v_net.asset);
    end if;
    insert into ledger_pool_days as days (account, asset, accounting_day, amount)
    values (v_net.account, v_net.asset, p_accounting_day, v_net.delta)
    on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount;
  end loop;
end $$;

-- Applies lines to ledger_shares. A posting calls it last, and it updates in the order of asset and slot: a transaction
-- that holds one of these rows waits only for a later one of them.
create function ledger_apply_shares(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_net record;
begin
  for v_net in
    select l.asset, (l.member % 16)::smallint as slot, sum(side.delta) as delta
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts)
        as l (member, asset, source, destination, amount),
      lateral (values (l.source, -l.amount), (l.destination, l.amount)) as side (account, delta)
    where l.asset in ('DIV', 'VC') and ledger_account_class(side.account) = 'member'
    group by l.asset, l.member % 16 having sum(side.delta) <> 0
    order by l.asset, l.member % 16
  loop
    update ledger_shares set held = held + v_net.delta where asset = v_net.asset and slot = v_net.slot;
  end loop;
end $$;

-- Posts one transaction, given as parallel arrays with one element for each line. Returns true when it was posted, and
-- false when the same transaction had been posted before. Locks pools, then heads in ascending order; every statement on
-- a distributed table touches one member. Raises RL001 (a member's account or a pool has too little), RL002 (the key was
-- used for another content) or RL003 (clearing does not net to zero). A line outside the flow table, an unknown asset and
-- an amount of zero violate a check.
create function ledger_post(
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
        select seq into strict v_reverses_seq from ledger_transactions
        where member_id = v_member and idempotency_key = p_reverses_key;
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
-- member's debits are compared with the balance before the call. Nothing may pass through clearing.
create function ledger_post_many(
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

-- Reserves money of a pool for a batch. Raises RL001 when the free part of the pool is smaller.
create function ledger_reserve(p_account text, p_asset text, p_amount bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update ledger_pools set reserved = reserved + p_amount
  where account = p_account and asset = p_asset and p_amount >= 0 and reserved + p_amount <= balance;
  if not found then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('%s has less than %s %s free', p_account, p_amount, p_asset);
  end if;
end $$;

-- Creates the two pools of a fund product's custody.
create function ledger_open_custody(p_product bigint) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into ledger_pools (account, asset)
  select format('fund_custody:%s:%s', p_product, part), 'USDT' from unnest(array['principal', 'proceeds']) as part
  on conflict do nothing;
$$;

-- Moves ledger_flow_deltas into ledger_flow_days and returns the number of rows moved. Of two concurrent calls one does
-- nothing and returns 0.
create function ledger_fold_flows() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_folded bigint;
begin
  -- 'flow' as a number; no other advisory lock of this database uses it.
  if not pg_try_advisory_xact_lock(x'666c6f77'::bigint) then
    return 0;
  end if;
  with taken as (
    delete from ledger_flow_deltas returning *
  ), folded as (
    insert into ledger_flow_days as days (accounting_day, kind, asset, source, destination, amount, postings)
    select accounting_day, kind, asset, source, destination, sum(amount), sum(postings)
    from taken group by accounting_day, kind, asset, source, destination
    on conflict (accounting_day, kind, asset, source, destination)
    do update set amount = days.amount + excluded.amount, postings = days.postings + excluded.postings
  )
  select count(*) into v_folded from taken;
  return v_folded;
end $$;

-- The running server works as the role rif_app where the role can be created: it reads the ledger and writes it only
-- through the functions above. Elsewhere the server is the owner of the tables, and the triggers guard the rows.
do $$
begin
  if not exists (select from pg_roles where rolname = 'rif_app') then
    create role rif_app nologin;
  end if;
  if not pg_has_role('rif_app', 'member') then
    grant rif_app to current_user;
  end if;
exception
  -- The last three occur when another database of the same cluster is migrated at the same time.
  when insufficient_privilege or duplicate_object or unique_violation or internal_error then
    raise notice 'role rif_app not prepared: %', sqlerrm;
end $$;

revoke execute on function ledger_lock, ledger_post, ledger_post_many, ledger_reserve, ledger_open_custody,
  ledger_fold_flows from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    grant usage on schema public to rif_app;
    grant select on all tables in schema public to rif_app;
    grant execute on function ledger_lock, ledger_post, ledger_post_many, ledger_reserve, ledger_open_custody,
      ledger_fold_flows to rif_app;
    -- For the tables of later migrations.
    alter default privileges in schema public grant select, insert, update, delete on tables to rif_app;
    alter default privileges in schema public grant usage on sequences to rif_app;
  end if;
end $$;
