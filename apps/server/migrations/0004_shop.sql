-- Plans, prices, packages and orders (rules, sections 1 and 4).

-- Every figure of the rules, by version. The plan of a day is the one with the latest effective day up to it.
create table plans (
  version bigint generated always as identity primary key,
  effective_day date not null unique,
  plan jsonb not null,
  created_at timestamptz not null,
  created_by text not null
);
create trigger append_only before update or delete or truncate on plans
  for each statement execute function refuse_change();

-- USDT micro-units per whole unit. The price at a time is the last one valid at that time.
create table prices (
  price_id bigint generated always as identity primary key,
  asset text not null check (asset in ('AMC', 'RIF')),
  price_micros bigint not null check (price_micros > 0),
  valid_from timestamptz not null,
  published_at timestamptz not null,
  published_by text not null
);
create index prices_by_time on prices (asset, valid_from desc, price_id desc);
create trigger append_only before update or delete or truncate on prices
  for each statement execute function refuse_change();

-- One package per level of the plan. `taken` counts the orders that hold a copy: all except the cancelled ones. The row
-- is the lock that keeps the limit exact under concurrent orders.
create table packages (
  package_id smallint primary key,
  taken integer not null default 0 check (taken >= 0)
);
insert into packages (package_id) select generate_series(1, 5);

-- The order in which orders were paid, over all members. Times cannot define it, because two may be equal.
create sequence paid_sequence;

-- An order with its full quote and, when hash power was requested, the discounted one. The prices are those valid at its
-- creation. On chain its id is (member_id << 64) | order_id.
create table orders (
  member_id bigint not null,
  order_id bigint generated always as identity,
  package_id smallint not null,
  package_name text not null,
  level smallint not null,
  payer text not null check (payer = lower(payer)),
  price_micros bigint not null check (price_micros > 0),
  amc_price_micros bigint not null check (amc_price_micros > 0),
  rif_price_micros bigint check (rif_price_micros > 0),
  full_usdt_micros bigint not null check (full_usdt_micros >= 0),
  full_amc_micros bigint not null check (full_amc_micros >= 0),
  discount_micros bigint check (discount_micros > 0),
  rif_micros bigint check (rif_micros > 0),
  discounted_usdt_micros bigint check (discounted_usdt_micros >= 0),
  discounted_amc_micros bigint check (discounted_amc_micros >= 0),
  -- The quote that the member intends to pay; once paid, the one that was paid.
  use_hash_rate boolean not null,
  status text not null default 'UnPaid' check (status in ('UnPaid', 'Processing', 'Paid', 'Cancelled')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The transaction that the member reported, or in which the payment was seen.
  tx_hash text,
  reported_at timestamptz,
  seen_block bigint,
  paid_at timestamptz,
  collected_at timestamptz,
  paid_sequence bigint,
  cancelled_at timestamptz,
  cancel_reason text check (cancel_reason in ('member', 'expired')),
  unmatched_tx_hash text,
  -- The paid value of the static rewards on this package up to now.
  static_paid_micros bigint not null default 0 check (static_paid_micros >= 0),
  primary key (member_id, order_id),
  check (num_nonnulls(discount_micros, rif_micros, discounted_usdt_micros, discounted_amc_micros) in (0, 4)),
  check (discount_micros < price_micros),
  check (discount_micros is null or rif_price_micros is not null),
  check (not use_hash_rate or discount_micros is not null),
  check ((status = 'Paid') = (paid_at is not null and collected_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null and cancel_reason is not null)),
  check (status <> 'Processing' or tx_hash is not null),
  check (seen_block is null or status in ('Processing', 'Paid')),
  check ((status = 'Paid') = (paid_sequence is not null))
);
create index orders_open on orders (status, expires_at) where status in ('UnPaid', 'Processing');
create index orders_paid on orders (member_id) where status = 'Paid';
create index orders_by_collection on orders (collected_at) where status = 'Paid';
-- An admin searches by order number or transaction hash without the member.
create index orders_by_id on orders (order_id);
create index orders_by_tx on orders (tx_hash) where tx_hash is not null;
create index orders_by_unmatched_tx on orders (unmatched_tx_hash) where unmatched_tx_hash is not null;

-- Orders created and cancelled, by package and UTC day; written under the lock of the package's row. `first_ordered`
-- counts those that were the member's first.
create table order_days (
  package_id smallint not null,
  day date not null,
  ordered bigint not null default 0,
  first_ordered bigint not null default 0,
  cancelled bigint not null default 0,
  primary key (package_id, day)
);

-- Orders collected and their revenue before its distribution; written under the placement lock.
create table sales_days (
  package_id smallint not null,
  day date not null,
  paid bigint not null,
  base_micros numeric(40) not null,
  usdt_micros numeric(40) not null,
  amc_micros numeric(40) not null,
  rif_micros numeric(40) not null,
  primary key (package_id, day)
);

-- Payments on chain that match no open order. Their money stays in `suspense` until the operator returns it. member_id is
-- the upper half of the chain's order id, whether such a member exists or not, and 0 where that is no member id.
create table unmatched_payments (
  member_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  chain_order_id numeric(78) not null,
  payer text not null,
  reason text not null check (reason in ('unknown_order', 'closed_order', 'wrong_payer', 'wrong_amount')),
  usdt_micros bigint not null check (usdt_micros >= 0),
  amc_micros bigint not null check (amc_micros >= 0),
  -- The remainder below a micro-unit, in base units of the token: kept here, never credited (rules, section 1).
  usdt_dust numeric(78) not null,
  amc_dust numeric(78) not null,
  paid_at timestamptz not null,
  collected_at timestamptz not null,
  primary key (member_id, tx_hash, log_index)
);
create index unmatched_payments_by_tx on unmatched_payments (tx_hash);
create index unmatched_payments_by_time on unmatched_payments (collected_at);
create trigger append_only before update or delete or truncate on unmatched_payments
  for each statement execute function refuse_change();

-- Unmatched payments that were credited to a member, once each.
create table suspense_releases (
  member_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  to_member_id bigint not null,
  released_by text not null,
  released_at timestamptz not null,
  primary key (member_id, tx_hash, log_index)
);
create trigger append_only before update or delete or truncate on suspense_releases
  for each statement execute function refuse_change();
