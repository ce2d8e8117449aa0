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
