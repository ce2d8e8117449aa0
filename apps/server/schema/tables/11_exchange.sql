-- Hash power, the exchange centre, dividends and VC launches (rules, section 11).

-- Hash power that one admin grants and another approves.
create table hash_power_grants (
  grant_id bigint generated always as identity primary key,
  -- Unique for ever: a grant prepared again under the same key is the same grant.
  key text collate "C" not null unique,
  member_id bigint not null,
  amount_micros bigint not null check (amount_micros > 0),
  reason text not null check (reason <> ''),
  state text not null default 'Prepared' check (state in ('Prepared', 'Approved', 'Rejected')),
  prepared_by text not null,
  prepared_at timestamptz not null,
  reviewed_by text,
  reviewed_at timestamptz,
  check ((state = 'Prepared') = (reviewed_by is null and reviewed_at is null)),
  check (state <> 'Approved' or reviewed_by <> prepared_by)
);
create index hash_power_grants_waiting on hash_power_grants (grant_id) where state = 'Prepared';

-- The terms on which RIF is exchanged. The terms at a time are the last approved ones valid at that time.
create table exchange_terms (
  terms_id bigint generated always as identity primary key,
  asset text not null check (asset in ('DIV', 'VC')),
  -- Micro-units of the asset for one whole RIF.
  rate_micros bigint not null check (rate_micros > 0),
  -- The RIF that a member may exchange into the asset on a UTC day; null for no cap.
  day_cap_micros bigint check (day_cap_micros > 0),
  -- Null until approved, unless a time was requested.
  valid_from timestamptz,
  state text not null default 'Prepared' check (state in ('Prepared', 'Approved', 'Rejected')),
  prepared_by text not null,
  prepared_at timestamptz not null,
  reviewed_by text,
  reviewed_at timestamptz,
  check ((state = 'Prepared') = (reviewed_by is null and reviewed_at is null)),
  check (state <> 'Approved' or (reviewed_by <> prepared_by and valid_from >= reviewed_at))
);
create index exchange_terms_by_time on exchange_terms (asset, valid_from desc, terms_id desc) where state = 'Approved';

-- Conversions of AMC into RIF, and of RIF into DIV or VC. A row is a quote while done_at is null.
create table conversions (
  member_id bigint not null,
  conversion_id bigint generated always as identity,
  source_asset text not null check (source_asset in ('AMC', 'RIF')),
  target_asset text not null check (target_asset in ('RIF', 'DIV', 'VC')),
  paid_micros bigint not null check (paid_micros > 0),
  received_micros bigint not null check (received_micros > 0),
  -- AMC into RIF: both prices, in USDT micro-units per whole unit. RIF into another asset: its micro-units per whole RIF.
  amc_price_micros bigint check (amc_price_micros > 0),
  rif_price_micros bigint check (rif_price_micros > 0),
  rate_micros bigint check (rate_micros > 0),
  quoted_at timestamptz not null,
  expires_at timestamptz not null,
  done_at timestamptz,
  -- The accounting day, to which the daily cap applies.
  day date,
  primary key (member_id, conversion_id),
  check ((source_asset, target_asset) in (('AMC', 'RIF'), ('RIF', 'DIV'), ('RIF', 'VC'))),
  check ((source_asset = 'AMC') = (num_nonnulls(amc_price_micros, rif_price_micros) = 2)),
  check ((source_asset = 'RIF') = (rate_micros is not null)),
  check ((done_at is null) = (day is null)),
  check (done_at <= expires_at)
);
create index conversions_of_day on conversions (member_id, target_asset, day) where done_at is not null;

-- The part of the dividend pool that a settlement distributed: fixed once, before any of it is paid.
create table dividend_days (
  day date primary key,
  pool_usdt_micros bigint not null check (pool_usdt_micros >= 0),
  pool_amc_micros bigint not null check (pool_amc_micros >= 0),
  -- All dividend rights in `available` at the end of the day, and the number of their holders.
  div_micros numeric(40) not null check (div_micros > 0),
  holders bigint not null check (holders > 0),
  usdt_micros bigint not null check (usdt_micros between 0 and pool_usdt_micros),
  amc_micros bigint not null check (amc_micros between 0 and pool_amc_micros),
  fixed_at timestamptz not null,
  check (pool_usdt_micros + pool_amc_micros > 0)
);

-- The dividends paid to a member; parts of zero have no row.
create table dividends (
  member_id bigint not null,
  day date not null,
  div_micros bigint not null check (div_micros > 0),
  usdt_micros bigint not null check (usdt_micros >= 0),
  amc_micros bigint not null check (amc_micros >= 0),
  paid_at timestamptz not null,
  primary key (member_id, day),
  check (usdt_micros > 0 or amc_micros > 0)
);

-- Launches to which members subscribe with VC. Prices are VC micro-units per whole unit of the launch.
create table vc_launches (
  launch_id bigint generated always as identity primary key,
  name text not null check (name <> ''),
  introduction text not null,
  allocation_micros bigint not null check (allocation_micros > 0),
  price_micros bigint not null check (price_micros > 0),
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > starts_at),
  state text not null default 'Prepared' check (state in ('Prepared', 'Rejected', 'Approved', 'Allocated')),
  prepared_by text not null,
  prepared_at timestamptz not null,
  reviewed_by text,
  reviewed_at timestamptz,
  -- All VC subscribed, written when the launch has closed and before any allotment. May exceed any single amount.
  subscribed_micros numeric(40) check (subscribed_micros >= 0),
  fixed_at timestamptz,
  allocated_at timestamptz,
  check ((state = 'Prepared') = (reviewed_by is null and reviewed_at is null)),
  check (state not in ('Approved', 'Allocated') or reviewed_by <> prepared_by),
  check ((subscribed_micros is null) = (fixed_at is null)),
  check (fixed_at >= ends_at),
  check ((state = 'Allocated') = (allocated_at is not null)),
  check (allocated_at is null or fixed_at is not null)
);
create index vc_launches_unallocated on vc_launches (ends_at) where state = 'Approved';

-- The VC that a member subscribed to a launch, in `locked` until it is allotted; then the member's position in it.
create table vc_subscriptions (
  member_id bigint not null,
  launch_id bigint not null references vc_launches,
  vc_micros bigint not null check (vc_micros > 0),
  -- The number of the member's payments.
  payments integer not null check (payments > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  units_micros bigint check (units_micros >= 0),
  spent_micros bigint check (spent_micros >= 0),
  returned_micros bigint check (returned_micros >= 0),
  allotted_at timestamptz,
  primary key (member_id, launch_id),
  check (num_nonnulls(units_micros, spent_micros, returned_micros, allotted_at) in (0, 4)),
  check (spent_micros + returned_micros = vc_micros)
);
create index vc_subscriptions_open on vc_subscriptions (launch_id, member_id) where allotted_at is null;
