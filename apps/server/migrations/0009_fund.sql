-- The fund (rules, section 8): products, NAVs, purchases, redemptions and bills.

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
  redemptions_paid bigint not null default 0 check (redemptions_paid between 0 and redemptions_approved),
  check ((approved_by is null) = (approved_at is null)),
  check ((state = 'draft') = (approved_at is null)),
  check ((proposed_state is null) = (proposed_by is null))
);

create table fund_documents (
  product_id bigint not null references fund_products,
  document_id smallint not null check (document_id > 0),
  title text not null check (title <> ''),
  media_type text not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  content bytea not null,
  primary key (product_id, document_id)
);
create trigger append_only before update or delete or truncate on fund_documents
  for each statement execute function refuse_change();

-- USDT micro-units per unit, with the total assets attested for it; null only in a simulation. The last published one is
-- in force.
create table fund_navs (
  nav_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  nav_micros bigint not null check (nav_micros > 0),
  assets_micros bigint check (assets_micros >= 0),
  document_hash text check (document_hash ~ '^0x[0-9a-f]{64}$'),
  prepared_by text not null,
  prepared_at timestamptz not null,
  approved_by text check (approved_by <> prepared_by),
  published_at timestamptz,
  check ((approved_by is null) = (published_at is null))
);
create index fund_navs_published on fund_navs (product_id, published_at desc, nav_id desc) where published_at is not null;
create index fund_navs_waiting on fund_navs (prepared_at) where published_at is null;

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
  cancel_reason text check (cancel_reason in ('member', 'expired')),
  unmatched_tx_hash text,
  primary key (member_id, order_id),
  check ((payment_method = 'wallet') = (expires_at is not null)),
  check ((status in ('Paid', 'Redemption', 'Redeemed')) = (paid_at is not null)),
  check ((paid_at is null) = (collected_at is null)),
  check ((status = 'Cancelled') = (cancelled_at is not null and cancel_reason is not null)),
  check (status not in ('Processing', 'Subscription') or tx_hash is not null),
  check ((status = 'Subscription') <= (seen_block is not null)),
  check ((status = 'Redemption') = (units_reserved > 0)),
  check ((status in ('Paid', 'Redemption')) = (units_left > 0))
);
create index fund_orders_open on fund_orders (status, expires_at) where status in ('UnPaid', 'Processing');
create index fund_orders_held on fund_orders (member_id, product_id) where units_left > 0;
-- An admin searches by order number or transaction hash without the member.
create index fund_orders_by_id on fund_orders (order_id);
create index fund_orders_by_tx on fund_orders (tx_hash) where tx_hash is not null;
create index fund_orders_by_unmatched_tx on fund_orders (unmatched_tx_hash) where unmatched_tx_hash is not null;

-- A redemption with its reviewer and the other admin who confirmed the review. Its figures are those of the approval.
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
  check ((status in ('Approved', 'Completed', 'Rejected')) = (audited_at is not null and confirmed_by is not null)),
  check ((status in ('Approved', 'Completed')) =
    (num_nonnulls(nav_micros, redemption_fee_micros, management_fee_micros, approval_place, due_at) = 5)),
  check ((status = 'Completed') = (paid_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null))
);
create index fund_redemptions_queue on fund_redemptions (product_id, approval_place) where status = 'Approved';
create index fund_redemptions_pending on fund_redemptions (submitted_at) where status = 'Pending';

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
create trigger append_only before update or delete or truncate on fund_redemption_lots
  for each statement execute function refuse_change();

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
create trigger append_only before update or delete or truncate on fund_income
  for each statement execute function refuse_change();

-- A member's monthly bill, as it was created: `bill` holds the figures, `digest` is the SHA-256 hash of their text.
create table fund_bills (
  member_id bigint not null,
  month text not null check (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  bill text not null,
  digest bytea not null,
  made_at timestamptz not null,
  primary key (member_id, month)
);
create trigger append_only before update or delete or truncate on fund_bills
  for each statement execute function refuse_change();

-- The progress of a month's bills: those of all members up to `last_member_id` exist.
create table fund_bill_runs (
  month text primary key,
  last_member_id bigint not null default 0,
  finished_at timestamptz
);
