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

-- Runs at the commit, when the proposal of the rate is marked as applied.
create function guard_display_rate() returns trigger language plpgsql as $$
declare
  last bigint;
begin
  select rate_micros into last from display_rates
  where currency = new.currency and rate_id < new.rate_id and rate_micros is not null
  order by rate_id desc limit 1;
  if not exists (
    select from proposals as p
    where p.proposal_id = new.proposal_id and p.state = 'Applied' and p.kind = 'display_rate'
      and p.decided_by = new.published_by
      and (select count(*) from proposal_approvals as a where a.proposal_id = p.proposal_id) >= p.approvals_needed
      and (p.approvals_needed >= 2
        or last is null
        or new.rate_micros is null
        or abs(new.rate_micros - last)::numeric * 1000000 <= last::numeric * new.share_ppm)
  ) then
    raise exception 'rate % of % was not approved by proposal %', new.rate_id, new.currency, new.proposal_id;
  end if;
  return null;
end $$;
create constraint trigger guarded after insert on display_rates
  deferrable initially deferred for each row execute function guard_display_rate();

-- An oracle gives no price while the sequencer of the chain is down, or came back only lately.
alter table price_sources
  drop constraint price_sources_problem_check,
  add constraint price_sources_problem_check
    check (problem in ('stale', 'incomplete', 'not_positive', 'out_of_range', 'unreadable', 'sequencer'));
