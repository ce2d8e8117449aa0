-- What members got back of what they paid (rules, section 5.6).

-- The first 30, 90 or 365 days of a member with a package, once these have ended: the paid packages and the paid value of
-- the rewards. A row is computed again when a reorganisation undid an order or a reward.
create table earnings_windows (
  member_id bigint not null,
  age smallint not null check (age in (30, 90, 365)),
  level smallint not null,
  first_day date not null,
  paid_micros bigint not null check (paid_micros > 0),
  back_micros bigint not null check (back_micros >= 0),
  primary key (member_id, age)
);

-- The published figures to the end of a settled day.
create table earnings_days (
  day date primary key,
  computed_at timestamptz not null,
  figures jsonb not null
);
create trigger append_only before update or delete or truncate on earnings_days
  for each statement execute function refuse_change();
