-- Plans, prices, packages and orders (rules, sections 1 and 4).

-- Rows of such a table say what somebody decided or what happened, so they stay as they were written.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: its rows are never changed', tg_op, tg_table_name;
end $$;

-- What admins did: who, when, before, after (rules, section 12).
create table admin_actions (
  action_id bigint generated always as identity primary key,
  actor text not null check (actor <> ''),
  action text not null,
  subject text not null,
  reason text,
  before jsonb,
  after jsonb,
  acted_at timestamptz not null
);
create trigger append_only before update or delete or truncate on admin_actions
  for each statement execute function refuse_change();

-- Every figure of the rules, by version. A day is under the plan with the latest effective day up to it.
create table plans (
  version bigint generated always as identity primary key,
  effective_day date not null unique,
  plan jsonb not null,
  created_at timestamptz not null,
  created_by text not null
);
create trigger append_only before update or delete or truncate on plans
  for each statement execute function refuse_change();

-- USDT micro-units per whole unit; the last one valid at a time counts.
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

-- One package per level of the plan. `taken` counts the orders that hold a copy: all but the cancelled ones. The row is
-- the lock that keeps the limit exact when many order at once.
create table packages (
  package_id smallint primary key,
  taken integer not null default 0 check (taken >= 0)
);
insert into packages (package_id) select generate_series(1, 5);

-- An order with its full quote and, when hash power was asked for, the discounted one. The prices are those valid at
-- its creation. On chain its id is (member_id << 64) | order_id.
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
  -- Which quote the member means to pay, and once paid which one it was.
  use_hash_rate boolean not null,
  status text not null default 'UnPaid' check (status in ('UnPaid', 'Processing', 'Paid', 'Cancelled')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- What the member reported, or where the payment was seen.
  tx_hash text,
  reported_at timestamptz,
  seen_block bigint,
  paid_at timestamptz,
  collected_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text check (cancel_reason in ('member', 'expired')),
  unmatched_tx_hash text,
  -- What static rewards have paid on this package so far (paid value).
  static_paid_micros bigint not null default 0 check (static_paid_micros >= 0),
  primary key (member_id, order_id),
  check (num_nonnulls(discount_micros, rif_micros, discounted_usdt_micros, discounted_amc_micros) in (0, 4)),
  check (discount_micros < price_micros),
  check (discount_micros is null or rif_price_micros is not null),
  check (not use_hash_rate or discount_micros is not null),
  check ((status = 'Paid') = (paid_at is not null and collected_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null and cancel_reason is not null)),
  check (status <> 'Processing' or tx_hash is not null),
  check (seen_block is null or status in ('Processing', 'Paid'))
);
create index orders_open on orders (status, expires_at) where status in ('UnPaid', 'Processing');
create index orders_paid on orders (member_id) where status = 'Paid';

-- Payments on chain that fit no open order. Their money stands in `suspense` until an operator returns it. member_id
-- is the upper half of the chain's order id, whether such a member exists or not, and 0 where that is no member's id.
create table unmatched_payments (
  member_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  chain_order_id numeric(78) not null,
  payer text not null,
  reason text not null check (reason in ('unknown_order', 'closed_order', 'wrong_payer', 'wrong_amount')),
  usdt_micros bigint not null check (usdt_micros >= 0),
  amc_micros bigint not null check (amc_micros >= 0),
  -- What came below a micro-unit, in base units of the token: kept here, never credited (rules, section 1).
  usdt_dust numeric(78) not null,
  amc_dust numeric(78) not null,
  paid_at timestamptz not null,
  collected_at timestamptz not null,
  primary key (member_id, tx_hash, log_index)
);
create trigger append_only before update or delete or truncate on unmatched_payments
  for each statement execute function refuse_change();
