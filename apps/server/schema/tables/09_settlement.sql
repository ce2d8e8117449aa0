-- The settlement of a day (rules, sections 5 and 6).

-- The first day to settle; one row.
create table settlement_start (
  first_day date primary key
);
create unique index settlement_one_start on settlement_start ((true));

-- The progress of a day: `fixed` (its rows of reward_batches are written and their money is reserved), `staged` (the
-- results of each member are in the settlement_* tables), `settled`.
create table settlement_days (
  day date primary key,
  state text not null check (state in ('fixed', 'staged', 'settled')),
  -- USDT micro-units per AMC at the end of the day; null when none was ever published.
  amc_price_micros bigint check (amc_price_micros > 0),
  fixed_at timestamptz not null,
  settled_at timestamptz,
  check ((state = 'settled') = (settled_at is not null))
);
create unique index settlement_one_open_day on settlement_days ((true)) where state <> 'settled';

-- A member's state between two settled days, as of the last day in which it changed.
create table member_standings (
  member_id bigint primary key,
  -- The level at the end of that day; above 0 the member is valid.
  level smallint not null check (level between 0 and 5),
  carry_left_micros bigint not null check (carry_left_micros >= 0),
  carry_right_micros bigint not null check (carry_right_micros >= 0),
  manage_base_micros bigint not null check (manage_base_micros >= 0),
  -- The AMC that each coming day releases, of the parts that have started and do not end that day.
  release_micros bigint not null check (release_micros >= 0)
) with (fillfactor = 50);

-- The results of the open day by member; empty when no day is staged. A member's new standing and release,
create table settlement_members (
  member_id bigint primary key,
  level smallint not null,
  carry_left_micros bigint not null,
  carry_right_micros bigint not null,
  manage_base_micros bigint not null,
  release_micros bigint not null,
  released_micros bigint not null
);

-- the rewards (order_id is 0 where a reward has no order),
create table settlement_rewards (
  member_id bigint not null,
  class text not null,
  order_id bigint not null,
  level smallint not null,
  base_micros bigint not null,
  ratio_ppm integer not null,
  value_micros bigint not null,
  flushed_micros bigint not null,
  paid_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null,
  primary key (member_id, class, order_id)
);

-- the interest on savings,
create table settlement_interest (
  member_id bigint not null,
  asset text not null,
  principal_micros bigint not null,
  due_micros bigint not null,
  paid_micros bigint not null,
  primary key (member_id, asset)
);

-- and the dividends.
create table settlement_dividends (
  member_id bigint primary key,
  div_micros bigint not null,
  usdt_micros bigint not null,
  amc_micros bigint not null
);

-- The ranges of members in which a day is posted: each in one transaction, which also sets posted_at.
create table settlement_ranges (
  day date not null references settlement_days,
  range_id integer not null,
  first_member_id bigint not null,
  last_member_id bigint not null,
  posted_at timestamptz,
  primary key (day, range_id)
);

-- Pauses and resumptions of the management award. The state at a time is that of the last row before it.
create table management_switches (
  member_id bigint not null,
  switch_id bigint generated always as identity,
  paused boolean not null,
  switched_at timestamptz not null,
  primary key (member_id, switch_id)
);

-- The daily pairing cap that the operator sets for a member (rules, section 5); it applies where it is lower than that of
-- the level. The cap at a time is that of the last row before it; null removes it.
create table member_day_caps (
  member_id bigint not null,
  cap_id bigint generated always as identity,
  cap_micros bigint check (cap_micros >= 0),
  set_by text not null check (set_by <> ''),
  set_at timestamptz not null,
  primary key (member_id, cap_id)
);
