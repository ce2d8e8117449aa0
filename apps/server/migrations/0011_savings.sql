-- Savings (rules, section 9).

-- The flow table, with what savings move. It only grows, so no posting has to be looked at again.
do $$
begin
  execute format(
    'create or replace function ledger_flow_list() returns text[] language sql immutable parallel safe return %L::text[]',
    ledger_flow_list() || array[
      'savings_in available>savings',
      'savings_out savings>savings_leaving',
      'savings_arrival savings_leaving>available',
      'savings_interest savings_pool>savings'
    ]);
end $$;

-- Into savings, which is done at once, and out of them, which takes until arrived_at.
create table savings_transfers (
  member_id bigint not null,
  transfer_id bigint generated always as identity,
  asset text not null check (asset in ('USDT', 'AMC')),
  direction text not null check (direction in ('in', 'out')),
  amount_micros bigint not null check (amount_micros > 0),
  -- The accounting day: which day's interest a transfer counts for.
  day date not null,
  created_at timestamptz not null,
  arrives_at timestamptz not null,
  arrived_at timestamptz,
  primary key (member_id, transfer_id),
  check (arrives_at >= created_at and arrived_at >= arrives_at),
  check (direction = 'out' or (arrives_at = created_at and arrived_at = created_at))
);
create index savings_transfers_due on savings_transfers (arrives_at) where arrived_at is null;
create index savings_transfers_by_day on savings_transfers (day);

-- Who has savings at all; the balances of everything else need not be read for the interest.
create index ledger_balances_savings on ledger_balances (member_id, asset) where account = 'savings';

-- A day's interest of an asset, fixed before anything of it is paid: with these terms every payment can be worked out again.
create table savings_batches (
  day date not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  rate_ppm integer not null check (rate_ppm between 0 and 1000000),
  pool_micros bigint not null check (pool_micros >= 0),
  due_micros bigint not null check (due_micros > 0),
  paid_micros bigint not null check (paid_micros between 0 and least(due_micros, pool_micros)),
  account_count integer not null check (account_count > 0),
  coverage_ppm integer not null check (coverage_ppm between 0 and 1000000),
  fixed_at timestamptz not null,
  primary key (day, asset)
);
create trigger append_only before update or delete or truncate on savings_batches
  for each statement execute function refuse_change();

-- Interest as it was paid, also where the pool had nothing for it. Days on which nothing was due leave no record.
create table savings_interest (
  member_id bigint not null,
  asset text not null,
  day date not null,
  principal_micros bigint not null check (principal_micros > 0),
  due_micros bigint not null check (due_micros > 0),
  paid_micros bigint not null check (paid_micros between 0 and due_micros),
  primary key (member_id, asset, day)
);
create trigger append_only before update or delete or truncate on savings_interest
  for each statement execute function refuse_change();

-- The open day's interest, member by member; empty when no day is staged.
create table settlement_interest (
  member_id bigint not null,
  asset text not null,
  principal_micros bigint not null,
  due_micros bigint not null,
  paid_micros bigint not null,
  primary key (member_id, asset)
);

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    grant truncate on settlement_interest to rif_app;
  end if;
end $$;
