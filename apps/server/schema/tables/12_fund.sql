-- The fund (rules, section 8; decision 29): products, purchases, redemptions and bills. The custody of a product is its cash,
-- investments have a cost and a value, and the NAV follows from both.

-- The terms of a product never change: members who bought under them keep them. Its row is locked, after the placement
-- lock and before any pool, by every change of its counters. Prepared by one admin, approved by another.
create table fund_products (
  product_id bigint generated always as identity primary key,
  name text not null unique check (name <> ''),
  -- Texts by language; English is required.
  introduction jsonb not null check (introduction ? 'en'),
  risk_level smallint not null check (risk_level between 1 and 5),
  estimated_annual_return_ppm integer not null check (estimated_annual_return_ppm >= 0),
  minimum_micros bigint not null check (minimum_micros >= 0),
  lock_days integer not null check (lock_days between 0 and 36500),
  redeemable_weekdays smallint[] not null
    check (cardinality(redeemable_weekdays) > 0 and redeemable_weekdays <@ '{1,2,3,4,5,6,7}'::smallint[]),
  subscription_ppm integer not null check (subscription_ppm between 0 and 1000000),
  redemption_ppm integer not null check (redemption_ppm between 0 and 1000000),
  management_ppm integer not null check (management_ppm between 0 and 1000000),
  state text not null default 'draft' check (state in ('draft', 'open', 'closed')),
  -- The state that an admin proposes, until another approves it.
  proposed_state text check (proposed_state in ('open', 'closed')),
  proposed_by text,
  prepared_by text not null,
  prepared_at timestamptz not null,
  approved_by text check (approved_by <> prepared_by),
  approved_at timestamptz,
  -- Bought and not yet paid out.
  units_outstanding bigint not null default 0 check (units_outstanding >= 0),
  -- The number of redemptions approved so far, and of those paid. They are paid in the order of approval.
  redemptions_approved bigint not null default 0,
  -- The assets of a product. Its cash is the balance of its custody. `invested_micros` is the value of its investments,
  -- `announced_micros` the cash that is announced for investing, and `nav_micros` the NAV, which is computed, never typed.
  opening_micros bigint not null check (opening_micros >= 10000),
  nav_micros bigint not null check (nav_micros >= 0),
  announced_micros bigint not null default 0 check (announced_micros >= 0),
  invested_micros bigint not null default 0 check (invested_micros >= 0),
  is_invested boolean not null default false,
  -- The NAV at which investing began: at the investment before which nothing was invested.
  began_nav_micros bigint check (began_nav_micros >= 0),
  -- The last valuation: also a divestment, and the investment before which nothing was invested.
  valued_at timestamptz,
  -- The units at the last valuation, and those sold since.
  units_at_valuation bigint not null default 0 check (units_at_valuation >= 0),
  units_sold bigint not null default 0 check (units_sold >= 0),
  -- Limits; null for none.
  max_member_units bigint check (max_member_units > 0),
  max_units bigint check (max_units > 0),
  sold_ppm integer check (sold_ppm between 0 and 1000000),
  -- `operator`: sales are stopped and may be resumed. `loss`, `empty`: closed for good.
  closed_reason text check (closed_reason in ('operator', 'loss', 'empty')),
  -- The units of approved redemptions, and the number of those redemptions. `redemptions_approved` numbers the approvals.
  units_approved bigint not null default 0 check (units_approved between 0 and units_outstanding),
  redemptions_waiting bigint not null default 0 check (redemptions_waiting between 0 and redemptions_approved),
  check ((approved_by is null) = (approved_at is null)),
  check ((state = 'draft') = (approved_at is null)),
  check ((proposed_state is null) = (proposed_by is null)),
  check ((state = 'closed') = (closed_reason is not null)),
  check (is_invested or invested_micros = 0),
  check (not is_invested or num_nonnulls(began_nav_micros, valued_at) = 2)
);

-- Documents of a product: its terms, which buyers read, and the evidence of investments and valuations.
create table fund_documents (
  product_id bigint not null references fund_products,
  document_id smallint not null check (document_id > 0),
  title text not null check (title <> ''),
  media_type text not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  content bytea not null,
  purpose text not null check (purpose in ('terms', 'evidence')),
  primary key (product_id, document_id)
);

-- A purchase, and the lot from which its units are redeemed; guarded by the member's ledger head. On chain its id is
-- (member_id << 64) | 2^62 | order_id: the bit distinguishes it from the orders of the shop.
create table fund_orders (
  member_id bigint not null,
  order_id bigint generated always as identity,
  product_id bigint not null,
  payer text not null check (payer = lower(payer)),
  payment_method text not null check (payment_method in ('available', 'wallet')),
  units bigint not null check (units > 0),
  nav_micros bigint not null check (nav_micros > 0),
  fee_ppm integer not null,
  fee_micros bigint not null check (fee_micros >= 0),
  status text not null check (status in
    ('UnPaid', 'Processing', 'Subscription', 'Paid', 'Redemption', 'Redeemed', 'Cancelled')),
  units_left bigint not null default 0 check (units_left between 0 and units),
  units_reserved bigint not null default 0 check (units_reserved between 0 and units_left),
  created_at timestamptz not null,
  expires_at timestamptz,
  tx_hash text,
  reported_at timestamptz,
  seen_block bigint,
  paid_at timestamptz,
  collected_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text check (cancel_reason in ('member', 'expired', 'price')),
  unmatched_tx_hash text,
  bank text check (bank = lower(bank)),
  primary key (member_id, order_id),
  check ((payment_method = 'wallet') = (expires_at is not null)),
  check ((status in ('Paid', 'Redemption', 'Redeemed')) = (paid_at is not null)),
  check ((paid_at is null) = (collected_at is null)),
  check ((status = 'Subscription') <= (seen_block is not null)),
  check (status not in ('Processing', 'Subscription') or tx_hash is not null),
  check ((status = 'Redemption') = (units_reserved > 0)),
  check ((status in ('Paid', 'Redemption')) = (units_left > 0)),
  check ((payment_method = 'wallet') = (bank is not null)),
  constraint fund_orders_cancelled_check check (case
      when status = 'Cancelled' then num_nulls(cancelled_at, cancel_reason) = 0
      when paid_at is not null then num_nulls(cancelled_at, cancel_reason) <> 1
      else num_nulls(cancelled_at, cancel_reason) = 2 end)
);
create index fund_orders_open on fund_orders (status, expires_at) where status in ('UnPaid', 'Processing');
create index fund_orders_held on fund_orders (member_id, product_id) where units_left > 0;
-- An admin searches by order number or transaction hash without the member.
create index fund_orders_by_id on fund_orders (order_id);
create index fund_orders_by_tx on fund_orders (tx_hash) where tx_hash is not null;
create index fund_orders_by_unmatched_tx on fund_orders (unmatched_tx_hash) where unmatched_tx_hash is not null;

-- A redemption with its reviewer and the other admin who confirmed the review. Its figures are those of its payment; its approval
-- fixes the place in the queue and the earliest time. It can be cancelled until it is paid.
create table fund_redemptions (
  member_id bigint not null,
  redemption_id bigint generated always as identity,
  product_id bigint not null,
  units bigint not null check (units > 0),
  cost_micros bigint not null check (cost_micros > 0),
  status text not null default 'Pending'
    check (status in ('Pending', 'Approved', 'Completed', 'Rejected', 'Cancelled')),
  submitted_at timestamptz not null,
  review text check (review in ('approve', 'reject')),
  reviewed_by text,
  reviewed_at timestamptz,
  review_reason text,
  confirmed_by text check (confirmed_by <> reviewed_by),
  audited_at timestamptz,
  nav_micros bigint check (nav_micros > 0),
  redemption_fee_micros bigint check (redemption_fee_micros >= 0),
  management_fee_micros bigint check (management_fee_micros >= 0),
  -- Its place in the product's order of approval, from 1 on.
  approval_place bigint check (approval_place > 0),
  due_at timestamptz,
  paid_at timestamptz,
  cancelled_at timestamptz,
  primary key (member_id, redemption_id),
  check (num_nonnulls(review, reviewed_by, reviewed_at, review_reason) in (0, 4)),
  check ((status = 'Completed') = (paid_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null)),
  check (status <> 'Pending' or audited_at is null),
  check (status not in ('Approved', 'Completed', 'Rejected') or num_nonnulls(audited_at, confirmed_by) = 2),
  check (status not in ('Approved', 'Completed') or num_nonnulls(approval_place, due_at) = 2),
  check ((status = 'Completed') = (num_nonnulls(nav_micros, redemption_fee_micros, management_fee_micros) = 3)),
  check (status = 'Completed' or num_nonnulls(nav_micros, redemption_fee_micros, management_fee_micros) = 0)
);
create index fund_redemptions_queue on fund_redemptions (product_id, approval_place) where status = 'Approved';
create index fund_redemptions_pending on fund_redemptions (submitted_at) where status = 'Pending';
create index fund_redemptions_oldest on fund_redemptions (product_id, redemption_id) where status = 'Pending';

-- The units of each lot that a redemption takes.
create table fund_redemption_lots (
  member_id bigint not null,
  redemption_id bigint not null,
  order_id bigint not null,
  units bigint not null check (units > 0),
  primary key (member_id, redemption_id, order_id),
  foreign key (member_id, redemption_id) references fund_redemptions (member_id, redemption_id),
  foreign key (member_id, order_id) references fund_orders (member_id, order_id)
);
create index fund_redemption_lots_by_order on fund_redemption_lots (member_id, order_id);

-- A sponsor's part of a management fee; member_id is the sponsor. It is credited out of the fee in the same transaction,
-- so `fees` never pays more than it received.
create table fund_income (
  member_id bigint not null,
  income_id bigint generated always as identity,
  source_member_id bigint not null,
  redemption_id bigint not null,
  product_id bigint not null,
  management_fee_micros bigint not null check (management_fee_micros > 0),
  amount_micros bigint not null check (amount_micros > 0),
  received_at timestamptz not null,
  primary key (member_id, income_id),
  unique (member_id, source_member_id, redemption_id),
  check (amount_micros <= management_fee_micros)
);

-- A member's monthly bill, as it was created: `bill` holds the figures, `digest` is the SHA-256 hash of their text.
create table fund_bills (
  member_id bigint not null,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  bill text not null,
  digest bytea not null,
  made_at timestamptz not null,
  primary key (member_id, month)
);

-- The progress of a month's bills: those of all members up to `last_member_id` exist.
create table fund_bill_runs (
  month text primary key,
  last_member_id bigint not null default 0,
  finished_at timestamptz
);

create table fund_navs (
  nav_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  nav_micros bigint not null check (nav_micros >= 0),
  cause text not null check (cause in ('opening', 'valuation', 'divestment', 'payment', 'undone')),
  cash_micros bigint not null check (cash_micros >= 0),
  invested_micros bigint not null check (invested_micros >= 0),
  units bigint not null check (units >= 0),
  published_at timestamptz not null,
  check (nav_micros::numeric * units <= cash_micros::numeric + invested_micros)
);
create index fund_navs_published on fund_navs (product_id, published_at desc, nav_id desc);

-- A placement of a product's money. `value_micros` is the cost until it is valued.
create table fund_investments (
  investment_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  state text not null default 'announced' check (state in ('announced', 'invested', 'ended', 'cancelled')),
  destination text not null check (destination <> ''),
  cost_micros bigint not null check (cost_micros > 0),
  value_micros bigint not null check (value_micros >= 0),
  -- The document that shows the placement; null only in a simulation.
  document_id smallint,
  document_hash text check (document_hash ~ '^0x[0-9a-f]{64}$'),
  -- The exit on chain that carries it out.
  exit_id text unique,
  prepared_by text not null,
  approved_by text not null check (approved_by <> prepared_by),
  announced_at timestamptz not null,
  invested_at timestamptz,
  ended_at timestamptz,
  cancelled_at timestamptz,
  -- Only a simulation, which has no chain, books an investment without an exit. The mark stays, so that the audit knows it.
  is_simulated boolean not null default false,
  foreign key (product_id, document_id) references fund_documents (product_id, document_id),
  check ((document_id is null) = (document_hash is null)),
  check ((state in ('invested', 'ended')) = (invested_at is not null)),
  check ((state = 'ended') = (ended_at is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check (state = 'invested' or state = 'announced' or value_micros = 0)
);
create index fund_investments_by_product on fund_investments (product_id, investment_id);

-- A valuation of all investments of a product, or a divestment, which is a valuation of what remains: proposed by one
-- admin, decided by another. A proposed one that `stops_dealing` does so until it is decided or lapses.
create table fund_valuations (
  valuation_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  kind text not null check (kind in ('valuation', 'divestment')),
  -- What all investments are worth; after a divestment, what remains.
  value_micros bigint not null check (value_micros >= 0),
  -- The cash that a divestment brings back; null for a valuation.
  amount_micros bigint check (amount_micros >= 0),
  -- The deposit on chain that brought it; each serves one divestment.
  deposit_id text,
  held_at text not null check (held_at <> ''),
  -- Null only in a simulation.
  document_id smallint,
  document_hash text check (document_hash ~ '^0x[0-9a-f]{64}$'),
  state text not null default 'proposed' check (state in ('proposed', 'applied', 'rejected', 'lapsed', 'undone')),
  stops_dealing boolean not null,
  prepared_by text not null,
  prepared_at timestamptz not null,
  lapses_at timestamptz not null,
  decided_by text check (decided_by <> prepared_by),
  decided_at timestamptz,
  -- The NAV that it led to.
  nav_micros bigint check (nav_micros >= 0),
  foreign key (product_id, document_id) references fund_documents (product_id, document_id),
  check ((document_id is null) = (document_hash is null)),
  check ((kind = 'divestment') = (amount_micros is not null)),
  check ((state = 'proposed') = (decided_at is null)),
  check ((state in ('applied', 'undone')) = (nav_micros is not null)),
  check (state not in ('applied', 'undone') or decided_by is not null)
);
create unique index fund_valuations_proposed on fund_valuations (product_id) where state = 'proposed';
create unique index fund_valuations_deposit on fund_valuations (deposit_id)
  where deposit_id is not null and state in ('proposed', 'applied');
create index fund_valuations_by_product on fund_valuations (product_id, valuation_id desc);
create index fund_valuations_failed on fund_valuations (prepared_by, decided_at) where state in ('rejected', 'lapsed');

-- The value that a valuation gives each investment.
create table fund_valuation_lines (
  valuation_id bigint not null references fund_valuations,
  investment_id bigint not null references fund_investments,
  value_micros bigint not null check (value_micros >= 0),
  primary key (valuation_id, investment_id)
);
