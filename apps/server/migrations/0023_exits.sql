-- How money leaves the bank contract by the operators' decision (rules, section 2): destinations, exits, and the deposits
-- that bring invested money back.

-- A destination that two admins approved: whose wallet it is. The contract's own list is in its events.
create table exit_destinations (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  name text not null check (name <> ''),
  purpose text not null check (purpose <> ''),
  prepared_by text not null,
  approved_by text not null check (approved_by <> prepared_by),
  approved_at timestamptz not null
);
create trigger append_only before update or delete or truncate on exit_destinations
  for each statement execute function refuse_change();

-- An exit that two admins approved. Its amount is set aside from the approval until it is executed or released.
create table exits (
  exit_id bigint generated always as identity primary key,
  bank text not null check (bank ~ '^0x[0-9a-f]{40}$'),
  -- The id in the contract, of 256 bits. It is not known before the approval, so nobody can use it up earlier.
  onchain_id text not null unique check (onchain_id ~ '^[1-9][0-9]{0,77}$'),
  kind text not null check (kind in ('treasury_payout', 'fund_invest')),
  -- The account that a treasury payout takes from.
  source text check (source in ('revenue', 'fees')),
  -- The fund investment that it carries out, which keeps its amount set aside.
  product_id bigint references fund_products,
  investment_id bigint unique references fund_investments,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  destination text not null references exit_destinations,
  purpose text not null check (purpose <> ''),
  document_hash text not null check (document_hash ~ '^0x[0-9a-f]{64}$'),
  prepared_by text not null,
  approved_by text not null check (approved_by <> prepared_by),
  approved_at timestamptz not null,
  -- `Withdrawn`: given up before it was announced. `Lapsed`: not executed within the window. `HandedOver`: its bank was
  -- closed.
  state text not null default 'Approved'
    check (state in ('Approved', 'Announced', 'Executed', 'Cancelled', 'Lapsed', 'HandedOver', 'Withdrawn')),
  -- The next event, which is on the chain and not final yet.
  seen_step text check (seen_step in ('announced', 'executed', 'cancelled')),
  seen_tx text,
  announced_tx text,
  announced_at timestamptz,
  executable_at timestamptz,
  expires_at timestamptz check (expires_at > executable_at),
  -- The transaction that executed or cancelled it.
  ended_tx text,
  ended_at timestamptz,
  -- When the amount was given back, after the end can no longer be undone.
  released_at timestamptz,
  check ((kind = 'treasury_payout') = (source is not null)),
  check (num_nonnulls(product_id, investment_id) = case kind when 'fund_invest' then 2 else 0 end),
  check (kind = 'treasury_payout' or asset = 'USDT'),
  check ((seen_step is null) = (seen_tx is null)),
  check ((announced_tx is null) = (announced_at is null) and (announced_tx is null) = (executable_at is null)
    and (announced_tx is null) = (expires_at is null)),
  check (state not in ('Announced', 'Executed', 'Cancelled', 'Lapsed') or announced_tx is not null),
  check (state not in ('Approved', 'Withdrawn') or announced_tx is null),
  check ((state in ('Executed', 'Cancelled')) = (ended_tx is not null)),
  check ((state in ('Approved', 'Announced')) = (ended_at is null)),
  check (released_at is null or state in ('Cancelled', 'Lapsed', 'HandedOver', 'Withdrawn')),
  check (released_at is not null or state not in ('Lapsed', 'HandedOver', 'Withdrawn'))
);
-- The exits whose amounts are set aside.
create index exits_open on exits (exit_id) where released_at is null and state <> 'Executed';

-- The terms of an exit never change, and what was released stays released. The steps follow the events of the chain, back
-- too when a reorganisation undoes one.
create function guard_exit() returns trigger language plpgsql as $$
declare
  v_fixed text[] := '{state,seen_step,seen_tx,announced_tx,announced_at,executable_at,expires_at,ended_tx,ended_at,released_at}';
begin
  if to_jsonb(new) - v_fixed <> to_jsonb(old) - v_fixed or old.released_at is not null
    or (old.state <> new.state and (old.state, new.state) not in (
      ('Approved', 'Announced'), ('Approved', 'Withdrawn'), ('Approved', 'HandedOver'),
      ('Announced', 'Executed'), ('Announced', 'Cancelled'), ('Announced', 'Lapsed'), ('Announced', 'HandedOver'),
      ('Announced', 'Approved'), ('Executed', 'Announced'), ('Cancelled', 'Announced')))
  then
    raise exception 'exit % does not go from % to %', old.exit_id, old.state, new.state using errcode = 'RL012';
  end if;
  return new;
end $$;
create trigger guarded before update on exits for each row execute function guard_exit();
create trigger keep_rows before delete or truncate on exits for each statement execute function refuse_change();

-- An exit in the contract for which the books have set nothing aside. A guardian cancels it. If it is executed all the same,
-- the operator answers for its amount (`shortfall`).
create table unapproved_exits (
  bank text not null,
  onchain_id text not null,
  kind smallint not null,
  chain_product_id text not null,
  token text not null,
  destination text not null,
  -- In base units of the token.
  amount text not null,
  -- `unknown`: nobody approved it. `wrong_terms`: an approved one has its id and other terms. `ended`: it was approved, and
  -- its amount was released before.
  reason text not null check (reason in ('unknown', 'wrong_terms', 'ended')),
  state text not null check (state in ('Announced', 'Executed', 'Cancelled', 'Undone')),
  executable_at timestamptz,
  announced_tx text,
  ended_tx text,
  noted_at timestamptz not null,
  primary key (bank, onchain_id)
);
create trigger keep_rows before delete or truncate on unapproved_exits
  for each statement execute function refuse_change();

-- A deposit of revenue serves one purpose only: an approved attestation, or the return of invested money. A row is written
-- with the first of them, and deleted with a deposit that a reorganisation removed, unless what it served stands.
create table deposit_uses (
  deposit_id text primary key,
  use text not null check (use in ('attestation', 'divest'))
);
create function claim_deposit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into deposit_uses (deposit_id, use) values (new.deposit_id, tg_argv[0]) on conflict do nothing;
  perform from deposit_uses where deposit_id = new.deposit_id and use = tg_argv[0];
  if not found then
    raise exception 'DEPOSIT_USED' using errcode = 'RL012', detail = format('deposit %s', new.deposit_id);
  end if;
  return new;
end $$;
create trigger one_use before update on attestations for each row
  when (old.approved_at is null and new.approved_at is not null) execute function claim_deposit('attestation');
create trigger one_use_inserted before insert on fund_valuations for each row
  when (new.deposit_id is not null and new.state = 'applied') execute function claim_deposit('divest');
create trigger one_use before update on fund_valuations for each row
  when (new.deposit_id is not null and old.state <> 'applied' and new.state = 'applied')
  execute function claim_deposit('divest');
create function free_deposit() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from deposit_uses as u where u.deposit_id = old.deposit_id
    and not exists (select from attestations as a
      where a.deposit_id = u.deposit_id and a.approved_at is not null and a.undone_at is null)
    and not exists (select from fund_valuations as v where v.deposit_id = u.deposit_id and v.state = 'applied');
  return null;
end $$;
create trigger free_use after delete on revenue_deposits for each row execute function free_deposit();

-- Checks, at the end of the database transaction, that a treasury payout is what two admins approved: its amount is set
-- aside once, from revenue or fees that there are, and is given back or spent as the exit ended. A simulation has no exits.
create function guard_exit_posting() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_line record;
begin
  select p.asset, p.source, p.destination, p.amount into v_line from ledger_postings as p
  where p.member_id = new.member_id and p.seq = new.seq;
  if v_line.source in ('revenue', 'fees') and (
    select sum(case v_line.source when f.destination then f.amount else -f.amount end)
    from ledger_flow_sums as f where f.asset = v_line.asset and v_line.source in (f.source, f.destination)) < 0
  then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = format('key %s', new.idempotency_key);
  end if;
  if new.kind = 'treasury_payout' and v_line.source <> 'exit_hold' then
    perform from ledger_simulation where is_simulation;
  else
    perform from exits as x
    where new.member_id = 0 and new.cause_type = 'exit' and x.exit_id::text = new.cause_id
      and x.kind = 'treasury_payout' and x.asset = v_line.asset and x.amount_micros = v_line.amount
      and (select count(*) = 1 from ledger_postings as p where p.member_id = new.member_id and p.seq = new.seq)
      and case new.kind
        when 'exit_hold' then new.idempotency_key = format('exit/%s/hold', x.exit_id) and v_line.source = x.source
        when 'exit_release' then new.idempotency_key = format('exit/%s/release', x.exit_id)
          and v_line.destination = x.source and x.released_at is not null
        else new.idempotency_key like format('exit/%s/payout%%', x.exit_id) and x.state = 'Executed'
      end;
  end if;
  if not found then
    raise exception 'NOT_AN_EXIT' using errcode = 'RL012', detail = format('key %s', new.idempotency_key);
  end if;
  return null;
end $$;
create constraint trigger guard_exit after insert on ledger_transactions deferrable initially deferred
  for each row when (new.kind in ('exit_hold', 'exit_release', 'treasury_payout')) execute function guard_exit_posting();
