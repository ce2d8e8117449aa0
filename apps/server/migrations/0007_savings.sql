-- Savings (rules, section 9).

-- Deposits take effect at once; withdrawals arrive at arrives_at.
create table savings_transfers (
  member_id bigint not null,
  transfer_id bigint generated always as identity,
  asset text not null check (asset in ('USDT', 'AMC')),
  direction text not null check (direction in ('in', 'out')),
  amount_micros bigint not null check (amount_micros > 0),
  -- The accounting day, which decides the interest.
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

-- The interest of an asset for a day, fixed before any of it is paid: every payment can be recomputed from it.
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

-- Interest as paid, including payments of zero when the pool was empty. A day on which nothing was due has no record.
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
