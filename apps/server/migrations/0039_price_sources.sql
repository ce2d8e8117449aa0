-- Prices from signed feeds and on-chain oracles, beside those that operators publish (rules, sections 1 and 12).

-- The source of a price and who approved it. A price of a feed or an oracle without approval is within a share of the
-- price before it; `share_ppm` is the share that applied.
alter table prices
  add column source text not null default 'operator' check (source in ('operator', 'feed', 'oracle')),
  add column source_name text check (source_name <> ''),
  add column observed_at timestamptz,
  add column approved_by text check (approved_by <> ''),
  add column proposal_id bigint,
  add column share_ppm integer check (share_ppm between 1 and 500000);
alter table prices
  alter column source drop default,
  add check ((source = 'operator') = (source_name is null)),
  add check ((source = 'operator') = (observed_at is null)),
  add check (source <> 'operator' or approved_by is not null),
  add check ((approved_by is null) = (share_ppm is not null)),
  add check (observed_at is null or valid_from = published_at);
create index prices_approved on prices (asset, valid_from desc, price_id desc) where approved_by is not null;

-- Runs at the commit, when the proposal of the price is marked as applied. The first price of an asset is approved.
create function guard_price() returns trigger language plpgsql as $$
declare
  last bigint;
begin
  if new.source <> 'operator' and new.approved_by is null then
    select price_micros into last from prices
    where asset = new.asset and price_id < new.price_id and valid_from <= new.valid_from
    order by valid_from desc, price_id desc limit 1;
    if last is null or abs(new.price_micros - last)::numeric * 1000000 > last::numeric * new.share_ppm then
      raise exception 'price % of % differs too much from the one before it', new.price_id, new.source_name;
    end if;
  end if;
  if new.source <> 'operator' and new.approved_by is not null and new.proposal_id is null then
    raise exception 'price % of % has no proposal', new.price_id, new.source_name;
  end if;
  if new.proposal_id is not null and not exists (
    select from proposals as p
    where p.proposal_id = new.proposal_id and p.state = 'Applied' and p.decided_by = new.approved_by
      and p.kind = case new.source when 'operator' then 'price' else 'outside_price' end
      and (select count(*) from proposal_approvals as a where a.proposal_id = p.proposal_id) >= p.approvals_needed
      and (new.source = 'operator' or p.approvals_needed >= 2)
  ) then
    raise exception 'price % was not approved by proposal %', new.price_id, new.proposal_id;
  end if;
  return null;
end $$;
create constraint trigger guarded after insert on prices
  deferrable initially deferred for each row execute function guard_price();

-- What each feed and oracle said last about an asset. `waiting_micros` is a price that two persons must approve first.
create table price_sources (
  source text not null check (source in ('feed', 'oracle')),
  name text not null check (name <> ''),
  asset text not null check (asset in ('AMC', 'RIF')),
  observed_at timestamptz,
  price_micros bigint check (price_micros > 0),
  received_at timestamptz,
  outcome text check (outcome in ('published', 'unchanged', 'waiting', 'refused')),
  waiting_micros bigint check (waiting_micros > 0),
  waiting_at timestamptz,
  -- A price that persons refused. One near it does not wait again.
  refused_micros bigint check (refused_micros > 0),
  -- Why the last reading of an oracle gave no price; null when it did.
  problem text check (problem in ('stale', 'incomplete', 'not_positive', 'out_of_range', 'unreadable')),
  problem_at timestamptz,
  primary key (source, name, asset),
  check (num_nulls(observed_at, price_micros, received_at, outcome) in (0, 4)),
  check ((waiting_micros is null) = (waiting_at is null)),
  check ((problem is null) = (problem_at is null))
);
