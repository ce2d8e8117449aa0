-- Standing transfers into savings: at most one of each member and asset (rules, section 9).
create table standing_savings (
  member_id bigint not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  every text not null check (every in ('day', 'week', 'month')),
  -- Of a week 1 (Monday) to 7, of a month 1 to 28, of a day 1.
  on_day integer not null check (on_day between 1 and case every when 'day' then 1 when 'week' then 7 else 28 end),
  next_day date not null,
  -- The day and the outcome of the last attempt: an amount that is not available stays where it is.
  last_day date,
  last_outcome text check (last_outcome in ('moved', 'short')),
  changed_at timestamptz not null,
  primary key (member_id, asset),
  check ((last_day is null) = (last_outcome is null)),
  check (last_day < next_day)
);
create index standing_savings_due on standing_savings (next_day);
