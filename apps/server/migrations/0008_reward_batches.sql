-- Reward batches (rules, section 6): what their pool held when they were paid, and what followed from that. With the
-- plan of the day this is all that it takes to work out again what each of their rewards paid.
create table reward_batches (
  batch text collate "C" primary key,
  class text not null check (class in ('commission', 'pairing', 'management', 'static')),
  day date not null,
  pool text not null check (pool in ('commission_pool', 'yield_pool')),
  -- USDT micro-units per AMC, at the order's or the day's price; null when none was ever published.
  amc_price_micros bigint check (amc_price_micros > 0),
  pool_usdt_micros bigint not null check (pool_usdt_micros >= 0),
  pool_amc_micros bigint not null check (pool_amc_micros >= 0),
  -- The sums of the values and of the paid values, and over how many rewards.
  value_micros bigint not null check (value_micros > 0),
  paid_micros bigint not null check (paid_micros between 0 and value_micros),
  reward_count integer not null check (reward_count > 0),
  coverage_ppm integer not null check (coverage_ppm between 0 and 1000000),
  usdt_share_ppm integer not null check (usdt_share_ppm between 0 and 1000000),
  amc_share_ppm integer not null check (amc_share_ppm between 0 and 1000000 - usdt_share_ppm),
  paid_at timestamptz not null
);
create trigger append_only before update or delete or truncate on reward_batches
  for each statement execute function refuse_change();

-- The organisation rewards of one order: what of the base the members between had covered already (rules, section 5.2).
create index rewards_organisation on rewards (order_id, level) where type = 'TeamReward';
