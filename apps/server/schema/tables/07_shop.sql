-- Plans, prices, packages and orders (rules, sections 1 and 4).

-- The order in which orders were paid, over all members. Times cannot define it, because two may be equal.
create sequence paid_sequence;

-- Every figure of the rules, by version. The plan of a day is the one with the latest effective day up to it.
create table plans (
  version bigint generated always as identity primary key,
  effective_day date not null unique,
  plan jsonb not null,
  created_at timestamptz not null,
  created_by text not null
);

-- USDT micro-units per whole unit. The price at a time is the last one valid at that time.
create table prices (
  price_id bigint generated always as identity primary key,
  asset text not null check (asset in ('AMC', 'RIF')),
  price_micros bigint not null check (price_micros > 0),
  valid_from timestamptz not null,
  published_at timestamptz not null,
  published_by text not null,
  -- The source of a price and who approved it. A price of a feed or an oracle without approval is within a share of the
  -- price before it; `share_ppm` is the share that applied.
  source text not null check (source in ('operator', 'feed', 'oracle')),
  source_name text check (source_name <> ''),
  observed_at timestamptz,
  approved_by text check (approved_by <> ''),
  proposal_id bigint,
  share_ppm integer check (share_ppm between 1 and 500000),
  check ((source = 'operator') = (source_name is null)),
  check ((source = 'operator') = (observed_at is null)),
  check (source <> 'operator' or approved_by is not null),
  check ((approved_by is null) = (share_ppm is not null)),
  check (observed_at is null or valid_from = published_at)
);
create index prices_by_time on prices (asset, valid_from desc, price_id desc);
create index prices_approved on prices (asset, valid_from desc, price_id desc) where approved_by is not null;

-- What each feed and oracle said last about an asset. `waiting_micros` is a price that two persons must approve first.
create table price_sources (
  source text not null check (source in ('feed', 'oracle')),
  name text not null check (name <> ''),
  asset text not null check (asset in ('AMC', 'RIF')),
  observed_at timestamptz,
  price_micros bigint check (price_micros > 0),
  received_at timestamptz,
  outcome text check (outcome in ('published', 'unchanged', 'waiting', 'refused')),
  waiting_micros bigint check (waiting_micros > 0),
  waiting_at timestamptz,
  -- A price that persons refused. One near it does not wait again.
  refused_micros bigint check (refused_micros > 0),
  -- Why the last reading of an oracle gave no price; null when it did.
  problem text check (problem in ('stale', 'incomplete', 'not_positive', 'out_of_range', 'unreadable', 'sequencer')),
  problem_at timestamptz,
  primary key (source, name, asset),
  check (num_nulls(observed_at, price_micros, received_at, outcome) in (0, 4)),
  check ((waiting_micros is null) = (waiting_at is null)),
  check ((problem is null) = (problem_at is null))
);

-- Rates of the currencies in which screens show a second line (rules, section 1). Nothing is computed or paid with them.
-- A row without a rate withdraws the currency.
create table display_rates (
  rate_id bigint generated always as identity primary key,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Millionths of the currency for one USDT.
  rate_micros bigint check (rate_micros > 0),
  -- The day at the source, and its name.
  rate_day date,
  source text check (source <> ''),
  -- The share of the last rate above which two persons must approve a change.
  share_ppm integer not null check (share_ppm between 1 and 500000),
  published_at timestamptz not null,
  published_by text not null check (published_by <> ''),
  -- Null only while an application is tried out and rolled back.
  proposal_id bigint,
  check (num_nulls(rate_micros, rate_day, source) in (0, 3))
);
create index display_rates_last on display_rates (currency, rate_id desc);

-- One package per level of the plan. The row is the lock under which the figures of the day are written.
create table packages (
  package_id smallint primary key
);
insert into packages (package_id) select generate_series(1, 5);

-- The copies that the bank has counted per package, as the indexer has seen their payments in blocks, final or not: the orders with a
-- seen payment. An unpaid order holds none (rules, section 4).
create table package_copies (
  package_id smallint primary key,
  paid integer not null default 0 check (paid >= 0)
);
insert into package_copies (package_id) select package_id from packages;

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
  -- The bank that an order was quoted for and a voucher was signed for, in lower case.
  bank text not null check (bank = lower(bank)),
  -- `quoted_at`: when the signer was first asked for the quote; null means that nobody can pay the order. `holds_rif`: the RIF of the
  -- discounted quote are locked for the order, also after a cancellation until no payment can arrive any more.
  quoted_at timestamptz,
  holds_rif boolean not null default false,
  primary key (member_id, order_id),
  check (num_nonnulls(discount_micros, rif_micros, discounted_usdt_micros, discounted_amc_micros) in (0, 4)),
  check (discount_micros < price_micros),
  check (discount_micros is null or rif_price_micros is not null),
  check (not use_hash_rate or discount_micros is not null),
  check ((status = 'Paid') = (paid_at is not null and collected_at is not null)),
  check (status <> 'Processing' or tx_hash is not null),
  check ((status = 'Paid') = (paid_sequence is not null)),
  -- A cancelled order can be paid inside the deadline of its quote; it keeps the time at which it was cancelled.
  constraint orders_cancelled_check check (case status
      when 'Cancelled' then num_nulls(cancelled_at, cancel_reason) = 0
      when 'Paid' then num_nulls(cancelled_at, cancel_reason) <> 1
      else num_nulls(cancelled_at, cancel_reason) = 2 end),
  constraint orders_seen_check check (seen_block is null or status <> 'UnPaid'),
  constraint orders_holds_rif_check check (not holds_rif or (rif_micros is not null and status <> 'Paid'))
) with (fillfactor = 50);
create index orders_open on orders (status, expires_at) where status in ('UnPaid', 'Processing');
create index orders_paid on orders (member_id) where status = 'Paid';
create index orders_by_collection on orders (collected_at) where status = 'Paid';
-- An admin searches by order number or transaction hash without the member.
create index orders_by_id on orders (order_id);
create index orders_by_tx on orders (tx_hash) where tx_hash is not null;
create index orders_by_unmatched_tx on orders (unmatched_tx_hash) where unmatched_tx_hash is not null;
create index orders_to_release on orders (expires_at) where holds_rif and status = 'Cancelled';

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
-- the upper half of the chain's order id, whether such a member exists or not, and 0 where that is no member id. A payment of a fund
-- whose quoted price no longer holds, or that comes when buying is stopped, closes its purchase and is one too.
create table unmatched_payments (
  member_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  chain_order_id numeric(78) not null,
  payer text not null,
  reason text not null check (reason in ('unknown_order', 'closed_order', 'wrong_payer', 'wrong_amount', 'set_aside',
    'price_changed', 'sale_stopped')),
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
