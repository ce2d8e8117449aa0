-- The ledger (rules, section 2). Amounts are micro-units, asset by asset.
--
-- A posting moves a positive amount of one asset from a source to a destination account, so it is balanced by
-- construction. Both accounts belong to one member: an operator account appears in every member's books as a contra
-- account, and its real balance is the sum over all members. Hence nearly every transaction touches one member's rows
-- only, no hot operator row exists, and every table whose key starts with member_id can be distributed by it.
-- A transfer between members is two balanced halves that meet in the account `clearing`.

-- Functions in checks are plpgsql on purpose: a check on an SQL function is inlined, that is parsed and planned anew, by
-- every statement, which doubled the cost of a posting. What they call is named with its schema, for pg_restore.

-- Operator money that may be spent: reserved through its row in ledger_pools.
create function ledger_pool_accounts() returns text[]
language sql immutable parallel safe
return array['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense'];

-- What an account is: `member` (a liability, never negative), `pool`, `operator`, `clearing` (zero per transaction) or
-- `external` (the outside world); null when there is no such account. A later migration replaces it to add accounts.
create function ledger_account_class(account text) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when account in ('available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income') then 'member'
    when account = any (public.ledger_pool_accounts()) then 'pool'
    when account in ('revenue', 'fees') then 'operator'
    when account in ('clearing', 'external') then account
  end;
end $$;

-- The flow table: what each kind of transaction may take from and give to. A later migration replaces this function
-- to add kinds. Nothing but attested revenue reaches yield_pool, savings_pool and dividend_pool (pay as funded).
create function ledger_flow_list() returns text[]
language sql immutable parallel safe
return array[
  'order_payment external>commission_pool',
  'order_payment external>revenue',
  'order_discount_hold available>locked',
  'order_discount_release locked>available',
  'order_discount_spend locked>revenue',
  'unmatched_payment external>suspense',
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
  'grant external>available',
  'transfer available>clearing',
  'transfer clearing>available'
];

-- `X:reversal` may do what X may, the other way round. No part of a flow contains a space or '>', so the joined text
-- is unambiguous.
create function ledger_flow_allowed(kind text, source text, destination text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return case
    when kind like '%:reversal' then left(kind, -9) || ' ' || destination || '>' || source
    else kind || ' ' || source || '>' || destination
  end = any (public.ledger_flow_list());
end $$;

create view ledger_flows as
  select split_part(flow, ' ', 1) as kind,
         split_part(split_part(flow, ' ', 2), '>', 1) as source,
         split_part(split_part(flow, ' ', 2), '>', 2) as destination
  from unnest(ledger_flow_list()) as flow;

-- The member's mutex and the number of the last transaction. Locking it serialises everything of one member.
create table ledger_heads (
  member_id bigint primary key,
  seq bigint not null check (seq >= 0)
) with (fillfactor = 80);

-- A member's part of a transaction. content_digest covers the whole transaction, the other members' lines included.
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

-- kind and accounting_day repeat the transaction's, so that the flow check and sums by day need no join.
-- line counts through the whole transaction, over all its members.
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

-- The fold of the postings. An operator's contra account may have either sign here.
create table ledger_balances (
  member_id bigint not null,
  asset text collate "C" not null,
  account text collate "C" not null,
  balance bigint not null,
  primary key (member_id, asset, account),
  constraint ledger_balances_account check (ledger_account_class(account) is not null),
  constraint ledger_balances_not_negative check (ledger_account_class(account) <> 'member' or balance >= 0)
) with (fillfactor = 80);

-- Money that a batch may spend is reserved from the pool's one row. Coordinator tables, not distributed.
create table ledger_pools (
  account text not null check (ledger_account_class(account) = 'pool'),
  asset text not null,
  balance bigint not null default 0 check (balance >= 0),
  primary key (account, asset)
);

-- What each accounting day added, so that a pool at the end of a day is a sum.
create table ledger_pool_days (
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null,
  primary key (account, asset, accounting_day),
  foreign key (account, asset) references ledger_pools (account, asset)
);

insert into ledger_pools (account, asset)
select account, asset from unnest(ledger_pool_accounts()) as account, unnest(array['USDT', 'AMC']) as asset;

-- Posted rows are for ever, whoever asks: a mistake is corrected by a reversing transaction.
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

-- Two calls with one key must mean the same; this is what "the same" is. Times are left out: a retry after midnight
-- is still a retry.
create function ledger_content_digest(
  kind text, cause_type text, cause_id text,
  members bigint[], assets text[], sources text[], destinations text[], amounts bigint[]
) returns bytea
language sql stable parallel safe
return sha256(convert_to(
  row(kind, cause_type, cause_id, members, assets, sources, destinations, amounts)::text, 'UTF8'));

-- What a transaction changes in an account of all members together.
create function ledger_net(assets text[], sources text[], destinations text[], amounts bigint[])
returns table (account text, asset text, delta bigint)
language sql stable parallel safe
begin atomic
  select side.account, line.asset, sum(side.delta)::bigint
  from unnest(assets, sources, destinations, amounts) as line (asset, source, destination, amount),
       lateral (values (line.source, -line.amount), (line.destination, line.amount)) as side (account, delta)
  group by side.account, line.asset;
end;

-- Takes the locks of the ledger in their fixed order: pools by account and asset, then heads by member.
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

-- Applies one side of a posting. The member's head is locked, so between the update and the insert nobody intervenes.
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

-- Applies a transaction to the pools. They are locked.
create function ledger_apply_pools(
  p_accounting_day date, p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_net record;
begin
  for v_net in
    select * from ledger_net(p_assets, p_sources, p_destinations, p_amounts)
    where account = any (ledger_pool_accounts()) and delta <> 0
  loop
    update ledger_pools set balance = balance + v_net.delta
    where account = v_net.account and asset = v_net.asset and balance + v_net.delta >= 0;
    if not found then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('%s has less than %s %s', v_net.account, -v_net.delta, v_net.asset);
    end if;
    insert into ledger_pool_days as days (account, asset, accounting_day, amount)
    values (v_net.account, v_net.asset, p_accounting_day, v_net.delta)
    on conflict (account, asset, accounting_day) do update set amount = days.amount + excluded.amount;
  end loop;
end $$;

-- Posts one whole transaction, given as parallel arrays with a line per element; true when posted, false when this
-- very transaction was posted before. Locks pools, then heads ascending; every statement on a distributed table
-- touches one member. Raises RL001 (a member's account or a pool has too little), RL002 (the key was used for
-- something else) or RL003 (clearing left over); a line outside the flow table, an unknown asset or an amount of zero
-- violates a check.
create function ledger_post(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_reverses_key text default null
) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_digest bytea := ledger_content_digest(
    p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations, p_amounts);
  v_touches_pools boolean := (p_sources || p_destinations) && ledger_pool_accounts();
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
        -- The digest covers every member's lines, so the first member tells for all: nothing else was touched yet.
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
  return true;
end $$;

-- The running server works as rif_app where the role can be made: it reads the ledger and writes it through
-- ledger_post alone. Elsewhere the server is the owner, and the triggers above are what guards the rows.
do $$
begin
  if not exists (select from pg_roles where rolname = 'rif_app') then
    create role rif_app nologin;
  end if;
  if not pg_has_role('rif_app', 'member') then
    grant rif_app to current_user;
  end if;
exception
  -- The last three: another database of the same cluster is being migrated at this very moment.
  when insufficient_privilege or duplicate_object or unique_violation or internal_error then
    raise notice 'role rif_app not prepared: %', sqlerrm;
end $$;

revoke execute on function ledger_lock, ledger_post from public;

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    grant usage on schema public to rif_app;
    grant select on all tables in schema public to rif_app;
    grant execute on function ledger_lock, ledger_post to rif_app;
    -- Tables of later migrations.
    alter default privileges in schema public grant select, insert, update, delete on tables to rif_app;
    alter default privileges in schema public grant usage on sequences to rif_app;
  end if;
end $$;
