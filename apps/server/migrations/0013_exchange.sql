-- Hash power, the exchange centre, dividends and VC launches (rules, section 11).

-- The flow table gains these kinds; what stands in it already stays, whichever migration brought it.
do $$
begin
  execute format(
    'create or replace function ledger_flow_list() returns text[] language sql immutable parallel safe return %L::text[]',
    ledger_flow_list() || array[
      'hash_power_purchase available>revenue',
      'hash_power_purchase external>available',
      'exchange available>revenue',
      'exchange external>available',
      'dividend dividend_pool>available',
      'vc_subscription available>locked',
      'vc_allocation locked>revenue',
      'vc_allocation locked>available'
    ]);
end $$;

-- A member's history of hash power, and what changed dividend rights after a day.
create index ledger_postings_rif on ledger_postings (member_id, seq desc, line desc) where asset = 'RIF';
create index ledger_postings_div on ledger_postings (accounting_day) where asset = 'DIV';
-- Who holds dividend rights and VC. Without the balance, which changes: the update of a balance touches no index.
create index ledger_balances_shares on ledger_balances (asset, account)
  where asset in ('DIV', 'VC') and account in ('available', 'locked');

-- Hash power that one admin hands out and another approves.
create table hash_power_grants (
  grant_id bigint generated always as identity primary key,
  -- Unique for ever: what is prepared again under one key is the same grant.
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

-- On what terms RIF are exchanged; the last approved ones valid at a time count.
create table exchange_terms (
  terms_id bigint generated always as identity primary key,
  asset text not null check (asset in ('DIV', 'VC')),
  -- Micro-units of the asset for one whole RIF.
  rate_micros bigint not null check (rate_micros > 0),
  -- RIF that a member may exchange into it on a UTC day; null: no cap.
  day_cap_micros bigint check (day_cap_micros > 0),
  -- Null until approved unless a time was asked for.
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

-- What a member turns into something else: AMC into RIF, RIF into DIV or VC. A quote as long as done_at is null.
create table conversions (
  member_id bigint not null,
  conversion_id bigint generated always as identity,
  source_asset text not null,
  target_asset text not null,
  paid_micros bigint not null check (paid_micros > 0),
  received_micros bigint not null check (received_micros > 0),
  -- AMC into RIF: both prices, USDT micro-units per whole unit. RIF into another: micro-units of it per whole RIF.
  amc_price_micros bigint check (amc_price_micros > 0),
  rif_price_micros bigint check (rif_price_micros > 0),
  rate_micros bigint check (rate_micros > 0),
  quoted_at timestamptz not null,
  expires_at timestamptz not null,
  done_at timestamptz,
  -- The accounting day, which the day's cap goes by.
  day date,
  primary key (member_id, conversion_id),
  check ((source_asset, target_asset) in (('AMC', 'RIF'), ('RIF', 'DIV'), ('RIF', 'VC'))),
  check ((source_asset = 'AMC') = (num_nonnulls(amc_price_micros, rif_price_micros) = 2)),
  check ((source_asset = 'RIF') = (rate_micros is not null)),
  check ((done_at is null) = (day is null)),
  check (done_at <= expires_at)
);
create index conversions_of_day on conversions (member_id, target_asset, day) where done_at is not null;

-- What a settlement shared of the dividend pool: fixed once, before anything of it is paid.
create table dividend_days (
  day date primary key,
  pool_usdt_micros bigint not null check (pool_usdt_micros >= 0),
  pool_amc_micros bigint not null check (pool_amc_micros >= 0),
  -- All dividend rights in `available` at the end of the day, and whose they were.
  div_micros bigint not null check (div_micros > 0),
  holders bigint not null check (holders > 0),
  usdt_micros bigint not null check (usdt_micros between 0 and pool_usdt_micros),
  amc_micros bigint not null check (amc_micros between 0 and pool_amc_micros),
  fixed_at timestamptz not null,
  check (pool_usdt_micros + pool_amc_micros > 0)
);
create trigger append_only before update or delete or truncate on dividend_days
  for each statement execute function refuse_change();

-- What a member was paid of it; without those whose part is nothing.
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
create trigger append_only before update or delete or truncate on dividends
  for each statement execute function refuse_change();

-- The open day's dividends, member by member; empty when no day is staged.
create table settlement_dividends (
  member_id bigint primary key,
  div_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null
);

-- Launches that VC can be put into. Prices are VC micro-units per whole unit of the launch.
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
  -- All VC put in, written when the launch has closed and before anything is allotted.
  subscribed_micros bigint check (subscribed_micros >= 0),
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

-- The VC that a member put into a launch, in `locked` until it is allotted; then the member's position in it.
create table vc_subscriptions (
  member_id bigint not null,
  launch_id bigint not null references vc_launches,
  vc_micros bigint not null check (vc_micros > 0),
  -- How many times the member put something in.
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

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    grant truncate on settlement_dividends to rif_app;
  end if;
end $$;
