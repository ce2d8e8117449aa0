-- Rewards (rules, sections 5 and 6).

-- One record per reward; written once, paid as written.
create table rewards (
  member_id bigint not null,
  reward_id bigint generated always as identity,
  type text not null
    check (type in ('ReferralReward', 'TeamReward', 'PairingReward', 'ManagementReward', 'Interest')),
  -- The batch it was paid in. In a batch, a member has one record per type and order.
  batch text collate "C" not null,
  day date not null,
  created_at timestamptz not null,
  source_member_id bigint,
  order_id bigint,
  level smallint not null,
  base_micros bigint not null check (base_micros >= 0),
  ratio_ppm integer not null check (ratio_ppm between 0 and 1000000),
  value_micros bigint not null check (value_micros > 0),
  flushed_micros bigint not null check (flushed_micros >= 0),
  coverage_ppm integer not null check (coverage_ppm between 0 and 1000000),
  usdt_share_ppm integer not null check (usdt_share_ppm between 0 and 1000000),
  amc_share_ppm integer not null check (amc_share_ppm between 0 and 1000000 - usdt_share_ppm),
  paid_micros bigint not null check (paid_micros between 0 and value_micros),
  usdt_micros bigint not null check (usdt_micros between 0 and paid_micros),
  amc_micros bigint not null check (amc_micros >= 0),
  -- The number of daily parts in which amc_micros is released from the day after `day` on.
  release_parts smallint not null check (release_parts > 0),
  primary key (member_id, reward_id),
  unique nulls not distinct (member_id, batch, type, order_id)
);
create index rewards_by_type on rewards (member_id, type, reward_id);
create index rewards_by_day on rewards (day, member_id);
-- The organisation rewards of one order: the part of the base that members in between have covered (rules, section 5.2).
create index rewards_organisation on rewards (order_id, level) where type = 'TeamReward';
-- Rewards whose last part of locked AMC is released on a given day (rules, section 6).
create index rewards_by_release_end on rewards ((day + release_parts)) where amc_micros > 0;
-- A member sees on another member's card what that member's orders paid.
create index rewards_by_source on rewards (member_id, source_member_id) where source_member_id is not null;

-- Running sums of `rewards` by member.
create table reward_totals (
  member_id bigint not null,
  type text not null,
  paid_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null,
  primary key (member_id, type)
) with (fillfactor = 50);

create table reward_days (
  member_id bigint not null,
  day date not null,
  type text not null,
  paid_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null,
  primary key (member_id, day, type)
);

-- The value due and the value paid, by class and day, over all members.
create table reward_coverage (
  day date not null,
  class text not null check (class in ('commission', 'pairing', 'management', 'static')),
  value_micros bigint not null check (value_micros >= 0),
  paid_micros bigint not null check (paid_micros between 0 and value_micros),
  primary key (day, class)
);

-- Reward batches (rules, section 6): the contents of the pool at the payment, and what followed from them. Together with
-- the plan of the day they suffice to recompute the payment of each of their rewards.
create table reward_batches (
  batch text collate "C" primary key,
  class text not null check (class in ('commission', 'pairing', 'management', 'static')),
  day date not null,
  pool text not null check (pool in ('commission_pool', 'yield_pool')),
  -- USDT micro-units per AMC, at the price of the order or the day; null when none was ever published.
  amc_price_micros bigint check (amc_price_micros > 0),
  pool_usdt_micros bigint not null check (pool_usdt_micros >= 0),
  pool_amc_micros bigint not null check (pool_amc_micros >= 0),
  -- The sums of the values and of the paid values, and the number of rewards.
  value_micros bigint not null check (value_micros > 0),
  paid_micros bigint not null check (paid_micros between 0 and value_micros),
  reward_count integer not null check (reward_count > 0),
  coverage_ppm integer not null check (coverage_ppm between 0 and 1000000),
  usdt_share_ppm integer not null check (usdt_share_ppm between 0 and 1000000),
  amc_share_ppm integer not null check (amc_share_ppm between 0 and 1000000 - usdt_share_ppm),
  paid_at timestamptz not null
);

-- Reward records whose order's payment was undone, out of `rewards`.
create table reward_undone (
  like rewards,
  undone_at timestamptz not null,
  -- The last settled day at that moment: the parts of locked AMC up to it were released.
  released_to date,
  primary key (member_id, reward_id)
);

-- What a member owes back: credits that were undone after the member had spent them. It is taken from the member's next
-- credits, and the member can spend nothing until then.
create table member_debts (
  member_id bigint not null,
  asset text not null check (asset in ('USDT', 'AMC', 'RIF')),
  owed_micros bigint not null check (owed_micros >= 0),
  -- The number of repayments, for their keys.
  repayments integer not null default 0,
  changed_at timestamptz not null,
  primary key (member_id, asset)
);
create index member_debts_open on member_debts (member_id) where owed_micros > 0;
