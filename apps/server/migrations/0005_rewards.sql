-- Rewards (rules, sections 5 and 6).

-- One record per reward; written once, paid as written.
create table rewards (
  member_id bigint not null,
  reward_id bigint generated always as identity,
  type text not null
    check (type in ('ReferralReward', 'TeamReward', 'PairingReward', 'ManagementReward', 'Interest')),
  -- The batch it was paid in; within one, a member has one record per type and order.
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
  -- In how many daily parts amc_micros is released from the day after `day` on.
  release_parts smallint not null check (release_parts > 0),
  primary key (member_id, reward_id),
  unique nulls not distinct (member_id, batch, type, order_id)
);
create index rewards_by_type on rewards (member_id, type, reward_id);
create index rewards_by_day on rewards (day, member_id);
create trigger append_only before update or delete or truncate on rewards
  for each statement execute function refuse_change();

-- Running sums of `rewards` by member, so that no screen has to add up records.
create table reward_totals (
  member_id bigint not null,
  type text not null,
  paid_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null,
  primary key (member_id, type)
);

create table reward_days (
  member_id bigint not null,
  day date not null,
  type text not null,
  paid_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null,
  primary key (member_id, day, type)
);

-- What was due and what was paid of it, by class and day; of the operator, not of a member.
create table reward_coverage (
  day date not null,
  class text not null check (class in ('commission', 'pairing', 'management', 'static')),
  value_micros bigint not null check (value_micros >= 0),
  paid_micros bigint not null check (paid_micros between 0 and value_micros),
  primary key (day, class)
);
