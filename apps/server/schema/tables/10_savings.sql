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
  -- The wait out of savings follows the worth of 24 hours (rules, section 9): of a transfer out, its worth in USDT when it was asked
  -- for; null without a known price, which counts as above the bound.
  worth_micros bigint check (worth_micros >= 0),
  primary key (member_id, transfer_id),
  check (arrives_at >= created_at and arrived_at >= arrives_at),
  check (direction = 'out' or (arrives_at = created_at and arrived_at = created_at)),
  check (direction = 'out' or worth_micros is null)
);
create index savings_transfers_due on savings_transfers (arrives_at) where arrived_at is null;
create index savings_transfers_by_day on savings_transfers (day);
create index savings_transfers_out on savings_transfers (member_id, created_at) where direction = 'out';

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

-- Standing transfers into savings: at most one of each member and asset (rules, section 9).
create table standing_savings (
  member_id bigint not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  every text not null check (every in ('day', 'week', 'month')),
  -- Of a week 1 (Monday) to 7, of a month 1 to 28, of a day 1.
  on_day integer not null check (on_day between 1 and case every when 'day' then 1 when 'week' then 7 else 28 end),
  next_day date not null,
  -- The day and the outcome of the last attempt: an amount that is not available stays where it is.
  last_day date,
  last_outcome text check (last_outcome in ('moved', 'short', 'unsigned')),
  changed_at timestamptz not null,
  -- A standing transfer is signed when it is made or changed; without a signature it is judged each time that it moves.
  consent_nonce text,
  primary key (member_id, asset),
  check ((last_day is null) = (last_outcome is null)),
  check (last_day < next_day),
  foreign key (member_id, consent_nonce) references member_consents (member_id, nonce)
);
create index standing_savings_due on standing_savings (next_day);
