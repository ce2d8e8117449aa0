-- The accounting of the fund (rules, section 8; decision 29): the custody of a product is its cash, investments have a cost
-- and a value, and the NAV follows from both. And the flows by which money leaves the bank (rules, section 2).

-- Returns the accounts of operator money that may be spent. `exit_hold` is what announced treasury payouts have set aside.
create or replace function ledger_pool_accounts() returns text[]
language sql immutable parallel safe
return array['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense', 'exit_hold'];

insert into ledger_pools (account, asset) values ('exit_hold', 'USDT'), ('exit_hold', 'AMC');

-- Returns the class of an account. The cash of each fund product is a pool: `fund_custody:<product>`.
create or replace function ledger_account_class(account text) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when account in ('available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income') then 'member'
    when account = any (public.ledger_pool_accounts()) then 'pool'
    when account in ('revenue', 'fees') then 'operator'
    when account in ('clearing', 'external', 'shortfall') then account
    when account ~ '^fund_custody:[1-9][0-9]{0,17}$' then 'pool'
  end;
end $$;

-- The flow table: kind, asset, source and destination. A custody appears without its product.
create or replace function ledger_flow_list() returns text[]
language sql immutable parallel safe
return array[
  'order_payment USDT external>commission_pool',
  'order_payment AMC external>commission_pool',
  'order_payment USDT external>revenue',
  'order_payment AMC external>revenue',
  'order_discount_hold RIF available>locked',
  'order_discount_release RIF locked>available',
  'order_discount_spend RIF locked>revenue',
  'unmatched_payment USDT external>suspense',
  'unmatched_payment AMC external>suspense',
  'suspense_release USDT suspense>available',
  'suspense_release AMC suspense>available',
  'suspense_release USDT suspense>clearing',
  'suspense_release AMC suspense>clearing',
  'suspense_release USDT clearing>available',
  'suspense_release AMC clearing>available',
  'commission USDT commission_pool>available',
  'commission AMC commission_pool>locked',
  'pairing USDT commission_pool>available',
  'pairing AMC commission_pool>locked',
  'management USDT commission_pool>available',
  'management AMC commission_pool>locked',
  'static USDT yield_pool>available',
  'static AMC yield_pool>locked',
  'release AMC locked>available',
  'withdrawal_request USDT available>withdrawing',
  'withdrawal_request AMC available>withdrawing',
  'withdrawal_return USDT withdrawing>available',
  'withdrawal_return AMC withdrawing>available',
  'withdrawal_paid USDT withdrawing>external',
  'withdrawal_paid AMC withdrawing>external',
  'withdrawal_paid USDT withdrawing>fees',
  'withdrawal_paid AMC withdrawing>fees',
  'attested_revenue USDT external>yield_pool',
  'attested_revenue AMC external>yield_pool',
  'attested_revenue USDT external>savings_pool',
  'attested_revenue AMC external>savings_pool',
  'attested_revenue USDT external>dividend_pool',
  'attested_revenue AMC external>dividend_pool',
  'grant RIF external>available',
  'grant USDT external>available',
  'grant AMC external>available',
  'grant VC external>available',
  'grant DIV external>available',
  'transfer USDT available>clearing',
  'transfer AMC available>clearing',
  'transfer USDT clearing>available',
  'transfer AMC clearing>available',
  'transfer_hold USDT available>locked',
  'transfer_hold AMC available>locked',
  'transfer_release USDT locked>available',
  'transfer_release AMC locked>available',
  'savings_in USDT available>savings',
  'savings_in AMC available>savings',
  'savings_out USDT savings>savings_leaving',
  'savings_out AMC savings>savings_leaving',
  'savings_arrival USDT savings_leaving>available',
  'savings_arrival AMC savings_leaving>available',
  'savings_interest USDT savings_pool>savings',
  'savings_interest AMC savings_pool>savings',
  'hash_power_purchase AMC available>revenue',
  'hash_power_purchase RIF external>available',
  'exchange RIF available>revenue',
  'exchange VC external>available',
  'exchange DIV external>available',
  'dividend USDT dividend_pool>available',
  'dividend AMC dividend_pool>available',
  'vc_subscription VC available>locked',
  'vc_allocation VC locked>revenue',
  'vc_allocation VC locked>available',
  'fund_purchase USDT available>fund_custody',
  'fund_purchase USDT available>fees',
  'fund_purchase USDT external>fund_custody',
  'fund_purchase USDT external>fees',
  'fund_redemption USDT fund_custody>available',
  'fund_redemption USDT fund_custody>fees',
  'fund_remainder USDT fund_custody>revenue',
  'fund_invest USDT fund_custody>external',
  'fund_divest USDT external>fund_custody',
  'exit_hold USDT revenue>exit_hold',
  'exit_hold AMC revenue>exit_hold',
  'exit_hold USDT fees>exit_hold',
  'exit_hold AMC fees>exit_hold',
  'exit_release USDT exit_hold>revenue',
  'exit_release AMC exit_hold>revenue',
  'exit_release USDT exit_hold>fees',
  'exit_release AMC exit_hold>fees',
  'treasury_payout USDT exit_hold>external',
  'treasury_payout AMC exit_hold>external',
  'treasury_payout USDT revenue>external',
  'treasury_payout AMC revenue>external',
  'treasury_payout USDT fees>external',
  'treasury_payout AMC fees>external',
  'fund_income USDT fees>fund_income',
  'fund_income_transfer USDT fund_income>available',
  'reversal_advance USDT shortfall>available',
  'reversal_advance RIF shortfall>available',
  'reversal_advance AMC shortfall>locked',
  'reversal_advance USDT shortfall>commission_pool',
  'reversal_advance AMC shortfall>commission_pool',
  'reversal_advance USDT shortfall>fund_custody',
  'payment_made_good USDT shortfall>external',
  'payment_made_good AMC shortfall>external',
  'debt_repayment USDT available>shortfall',
  'debt_repayment AMC available>shortfall',
  'debt_repayment RIF available>shortfall',
  'shortfall_cover USDT revenue>shortfall',
  'shortfall_cover AMC revenue>shortfall',
  'shortfall_cover USDT fees>shortfall',
  'shortfall_cover AMC fees>shortfall',
  'shortfall_cover USDT shortfall>revenue',
  'shortfall_cover AMC shortfall>revenue',
  'shortfall_cover USDT shortfall>fees',
  'shortfall_cover AMC shortfall>fees'
];

-- Returns whether the flow table allows a posting. `X:reversal` may do what X may, in the opposite direction; that it
-- mirrors a transaction is checked when it is posted. No part of a flow contains a space or '>', so the joined text is
-- unambiguous.
create or replace function ledger_flow_allowed(kind text, asset text, source text, destination text) returns boolean
language plpgsql immutable parallel safe as $$
declare
  v_source text := case when source ~ '^fund_custody:[0-9]+$' then 'fund_custody' else source end;
  v_destination text := case when destination ~ '^fund_custody:[0-9]+$' then 'fund_custody' else destination end;
begin
  return case
    when kind like '%:reversal' then left(kind, -9) || ' ' || asset || ' ' || v_destination || '>' || v_source
    else kind || ' ' || asset || ' ' || v_source || '>' || v_destination
  end = any (public.ledger_flow_list());
end $$;

-- Creates the custody of a fund product.
create or replace function ledger_open_custody(p_product bigint) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into ledger_pools (account, asset) values (format('fund_custody:%s', p_product), 'USDT') on conflict do nothing;
$$;

-- What a fund earns comes back as its own investment, so only the three pools are attested.
alter table attestations drop column product_id, drop constraint attestations_pool_check,
  drop constraint attestations_check3,
  add constraint attestations_pool_check check (pool in ('yield_pool', 'savings_pool', 'dividend_pool'));

-- Raises RL008 unless a posting of attested revenue has the only line of an approved attestation: its pool, asset and
-- amount, under its key. Member 0 is the operator.
create or replace function ledger_require_attestation(
  p_key text, p_kind text, p_cause_type text, p_cause_id text,
  p_members bigint[], p_assets text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
begin
  if p_members = array[0::bigint] and p_cause_type = 'attestation' and p_key = 'attestation/' || p_cause_id then
    perform from attestations
    where attestation_id::text = p_cause_id and approved_at is not null and undone_at is null
      and asset = p_assets[1] and amount_micros = p_amounts[1] and pool = p_destinations[1];
    if found then
      return;
    end if;
  end if;
  raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_key);
end $$;

-- Checks, at the end of the database transaction, what only an undoing posts. An advance is at most what the reversal of its
-- key takes from the same account, and that reversal undoes what an event of the chain caused. Revenue and fees get back
-- from `shortfall` no more than brings it, or them, to zero.
create or replace function guard_undoing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.kind = 'reversal_advance' then
    perform from ledger_postings as a
    where a.member_id = new.member_id and a.seq = new.seq and a.amount > coalesce((
      select sum(r.amount) from ledger_transactions as t join ledger_postings as r using (member_id, seq)
      where t.member_id = new.member_id and t.idempotency_key || '/advance' = new.idempotency_key
        and t.kind in ('order_payment:reversal', 'commission:reversal', 'order_discount_release:reversal',
          'fund_purchase:reversal', 'fund_divest:reversal')
        and r.asset = a.asset and r.source = a.destination), 0);
  else
    perform from ledger_postings as c
    where c.member_id = new.member_id and c.seq = new.seq and c.source = 'shortfall' and 0 not in (
      select coalesce(sum(case side.account when f.destination then f.amount else -f.amount end), 0)
      from unnest(array['shortfall', c.destination]) as side (account)
      left join ledger_flow_sums as f on f.asset = c.asset and side.account in (f.source, f.destination)
      group by side.account);
  end if;
  if found then
    raise exception 'NOT_AN_UNDOING' using errcode = 'RL007', detail = format('key %s', new.idempotency_key);
  end if;
  return null;
end $$;

-- A payment on chain whose quoted price no longer holds, or that comes when buying is stopped, closes its purchase and goes
-- to `suspense`.
alter table unmatched_payments drop constraint unmatched_payments_reason_check,
  add constraint unmatched_payments_reason_check check (reason in ('unknown_order', 'closed_order', 'wrong_payer',
    'wrong_amount', 'set_aside', 'price_changed', 'sale_stopped'));
alter table fund_orders drop constraint fund_orders_cancel_reason_check,
  add constraint fund_orders_cancel_reason_check check (cancel_reason in ('member', 'expired', 'price'));

-- Documents of a product: its terms, which buyers read, and the evidence of investments and valuations.
alter table fund_documents add column purpose text not null default 'terms' check (purpose in ('terms', 'evidence'));
alter table fund_documents alter column purpose drop default;

-- The assets of a product. Its cash is the balance of its custody. `invested_micros` is the value of its investments,
-- `announced_micros` the cash that is announced for investing, and `nav_micros` the NAV, which is computed, never typed.
alter table fund_products
  add column opening_micros bigint not null default 1000000 check (opening_micros >= 10000),
  add column nav_micros bigint not null default 1000000 check (nav_micros >= 0),
  add column announced_micros bigint not null default 0 check (announced_micros >= 0),
  add column invested_micros bigint not null default 0 check (invested_micros >= 0),
  add column is_invested boolean not null default false,
  -- The NAV at which investing began: at the investment before which nothing was invested.
  add column began_nav_micros bigint check (began_nav_micros >= 0),
  -- The last valuation: also a divestment, and the investment before which nothing was invested.
  add column valued_at timestamptz,
  -- The units at the last valuation, and those sold since.
  add column units_at_valuation bigint not null default 0 check (units_at_valuation >= 0),
  add column units_sold bigint not null default 0 check (units_sold >= 0),
  -- Limits; null for none.
  add column max_member_units bigint check (max_member_units > 0),
  add column max_units bigint check (max_units > 0),
  add column sold_ppm integer check (sold_ppm between 0 and 1000000),
  -- `operator`: sales are stopped and may be resumed. `loss`, `empty`: closed for good.
  add column closed_reason text check (closed_reason in ('operator', 'loss', 'empty')),
  -- The units of approved redemptions, and the number of those redemptions. `redemptions_approved` numbers the approvals.
  add column units_approved bigint not null default 0 check (units_approved between 0 and units_outstanding),
  add column redemptions_waiting bigint not null default 0
    check (redemptions_waiting between 0 and redemptions_approved),
  drop column redemptions_paid;
update fund_products set closed_reason = 'operator' where state = 'closed';
alter table fund_products
  alter column opening_micros drop default,
  alter column nav_micros drop default,
  add check ((state = 'closed') = (closed_reason is not null)),
  add check (is_invested or invested_micros = 0),
  add check (not is_invested or num_nonnulls(began_nav_micros, valued_at) = 2);

-- The history of a product's NAV, and what it was computed from. The last one is in force.
drop table fund_navs;
create table fund_navs (
  nav_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  nav_micros bigint not null check (nav_micros >= 0),
  cause text not null check (cause in ('opening', 'valuation', 'divestment', 'payment', 'undone')),
  cash_micros bigint not null check (cash_micros >= 0),
  invested_micros bigint not null check (invested_micros >= 0),
  units bigint not null check (units >= 0),
  published_at timestamptz not null,
  check (nav_micros::numeric * units <= cash_micros::numeric + invested_micros)
);
create index fund_navs_published on fund_navs (product_id, published_at desc, nav_id desc);
create trigger append_only before update or delete or truncate on fund_navs
  for each statement execute function refuse_change();

-- A placement of a product's money. `value_micros` is the cost until it is valued.
create table fund_investments (
  investment_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  state text not null default 'announced' check (state in ('announced', 'invested', 'ended', 'cancelled')),
  destination text not null check (destination <> ''),
  cost_micros bigint not null check (cost_micros > 0),
  value_micros bigint not null check (value_micros >= 0),
  -- The document that shows the placement; null only in a simulation.
  document_id smallint,
  document_hash text check (document_hash ~ '^0x[0-9a-f]{64}$'),
  -- The exit on chain that carries it out.
  exit_id text unique,
  prepared_by text not null,
  approved_by text not null check (approved_by <> prepared_by),
  announced_at timestamptz not null,
  invested_at timestamptz,
  ended_at timestamptz,
  cancelled_at timestamptz,
  foreign key (product_id, document_id) references fund_documents (product_id, document_id),
  check ((document_id is null) = (document_hash is null)),
  check ((state in ('invested', 'ended')) = (invested_at is not null)),
  check ((state = 'ended') = (ended_at is not null)),
  check ((state = 'cancelled') = (cancelled_at is not null)),
  check (state = 'invested' or state = 'announced' or value_micros = 0)
);
create index fund_investments_by_product on fund_investments (product_id, investment_id);

-- A valuation of all investments of a product, or a divestment, which is a valuation of what remains: proposed by one
-- admin, decided by another. A proposed one that `stops_dealing` does so until it is decided or lapses.
create table fund_valuations (
  valuation_id bigint generated always as identity primary key,
  product_id bigint not null references fund_products,
  kind text not null check (kind in ('valuation', 'divestment')),
  -- What all investments are worth; after a divestment, what remains.
  value_micros bigint not null check (value_micros >= 0),
  -- The cash that a divestment brings back; null for a valuation.
  amount_micros bigint check (amount_micros >= 0),
  -- The deposit on chain that brought it; each serves one divestment.
  deposit_id text,
  held_at text not null check (held_at <> ''),
  -- Null only in a simulation.
  document_id smallint,
  document_hash text check (document_hash ~ '^0x[0-9a-f]{64}$'),
  state text not null default 'proposed' check (state in ('proposed', 'applied', 'rejected', 'lapsed', 'undone')),
  stops_dealing boolean not null,
  prepared_by text not null,
  prepared_at timestamptz not null,
  lapses_at timestamptz not null,
  decided_by text check (decided_by <> prepared_by),
  decided_at timestamptz,
  -- The NAV that it led to.
  nav_micros bigint check (nav_micros >= 0),
  foreign key (product_id, document_id) references fund_documents (product_id, document_id),
  check ((document_id is null) = (document_hash is null)),
  check ((kind = 'divestment') = (amount_micros is not null)),
  check ((state = 'proposed') = (decided_at is null)),
  check ((state in ('applied', 'undone')) = (nav_micros is not null)),
  check (state not in ('applied', 'undone') or decided_by is not null)
);
create unique index fund_valuations_proposed on fund_valuations (product_id) where state = 'proposed';
create unique index fund_valuations_deposit on fund_valuations (deposit_id)
  where deposit_id is not null and state in ('proposed', 'applied');
create index fund_valuations_by_product on fund_valuations (product_id, valuation_id desc);
create index fund_valuations_failed on fund_valuations (prepared_by, decided_at) where state in ('rejected', 'lapsed');

-- A valuation is decided once; what it says stays.
create function guard_fund_valuation() returns trigger language plpgsql as $$
begin
  if (old.state, new.state) not in (('proposed', 'applied'), ('proposed', 'rejected'), ('proposed', 'lapsed'),
      ('applied', 'undone'))
    or to_jsonb(old) - '{state,decided_by,decided_at,nav_micros}'::text[]
      <> to_jsonb(new) - '{state,decided_by,decided_at,nav_micros}'::text[]
  then
    raise exception 'valuation % is not changed from % to %', old.valuation_id, old.state, new.state;
  end if;
  return new;
end $$;
create trigger guarded before update on fund_valuations for each row execute function guard_fund_valuation();
create trigger keep_rows before delete or truncate on fund_valuations for each statement execute function refuse_change();
create trigger keep_rows before delete or truncate on fund_investments for each statement execute function refuse_change();

-- The value that a valuation gives each investment.
create table fund_valuation_lines (
  valuation_id bigint not null references fund_valuations,
  investment_id bigint not null references fund_investments,
  value_micros bigint not null check (value_micros >= 0),
  primary key (valuation_id, investment_id)
);
create trigger append_only before update or delete or truncate on fund_valuation_lines
  for each statement execute function refuse_change();

-- The figures of a redemption are those of its payment; its approval fixes the place in the queue and the earliest time.
-- It can be cancelled until it is paid.
alter table fund_redemptions
  drop constraint fund_redemptions_check2,
  drop constraint fund_redemptions_check3,
  add check (status <> 'Pending' or audited_at is null),
  add check (status not in ('Approved', 'Completed', 'Rejected') or num_nonnulls(audited_at, confirmed_by) = 2),
  add check (status not in ('Approved', 'Completed') or num_nonnulls(approval_place, due_at) = 2),
  add check ((status = 'Completed') = (num_nonnulls(nav_micros, redemption_fee_micros, management_fee_micros) = 3)),
  add check (status = 'Completed' or num_nonnulls(nav_micros, redemption_fee_micros, management_fee_micros) = 0);
create index fund_redemptions_oldest on fund_redemptions (product_id, redemption_id) where status = 'Pending';

-- Raises RL011 unless the net assets of a product cover its units at the NAV and its cash covers what is announced. Checked
-- at the end of every database transaction that could change it.
create function check_fund_backing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_product bigint;
  v_found record;
begin
  if tg_table_name = 'fund_products' then
    v_product := new.product_id;
  else
    v_product := substring(new.account from '[0-9]+$')::bigint;
  end if;
  select p.nav_micros, p.units_outstanding, p.invested_micros, p.announced_micros, coalesce(c.balance, 0) as cash
    into v_found
  from fund_products as p
  left join ledger_pools as c on c.account = format('fund_custody:%s', v_product) and c.asset = 'USDT'
  where p.product_id = v_product;
  if v_found.cash::numeric + v_found.invested_micros < v_found.nav_micros::numeric * v_found.units_outstanding
    or v_found.cash < v_found.announced_micros
  then
    raise exception 'FUND_NOT_BACKED' using errcode = 'RL011', detail = format(
      'product %s: cash %s, announced %s, invested %s, NAV %s, units %s', v_product, v_found.cash,
      v_found.announced_micros, v_found.invested_micros, v_found.nav_micros, v_found.units_outstanding);
  end if;
  return null;
end $$;
create constraint trigger backed after update on fund_products deferrable initially deferred for each row
  when ((new.nav_micros, new.units_outstanding, new.invested_micros, new.announced_micros)
    is distinct from (old.nav_micros, old.units_outstanding, old.invested_micros, old.announced_micros))
  execute function check_fund_backing();
create constraint trigger backed after update on ledger_pools deferrable initially deferred for each row
  when (new.account like 'fund\_custody:%' and new.balance < old.balance) execute function check_fund_backing();

-- Raises RL008 unless money that leaves or enters a custody as an investment is that of an approved one, posted once: the
-- cost of an announced investment, or the amount of an approved divestment. Its key counts the reversals before it.
create function guard_fund_investing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_prefix text := case new.kind when 'fund_invest' then 'fund-investment/' else 'fund-divestment/' end;
begin
  perform from ledger_transactions as t
  left join fund_investments as i on new.kind = 'fund_invest' and i.investment_id::text = t.cause_id
    and i.state in ('announced', 'invested') and i.cost_micros = new.amount
    and new.source = format('fund_custody:%s', i.product_id)
  left join fund_valuations as v on new.kind = 'fund_divest' and v.valuation_id::text = t.cause_id
    and v.state = 'applied' and v.amount_micros = new.amount
    and new.destination = format('fund_custody:%s', v.product_id)
  where t.member_id = 0 and t.member_id = new.member_id and t.seq = new.seq and num_nonnulls(i.product_id, v.product_id) = 1
    and t.idempotency_key = v_prefix || t.cause_id || (
      select case count(*) when 0 then '' else '/' || count(*) + 1 end from ledger_transactions as r
      where r.member_id = 0 and r.kind = new.kind || ':reversal' and r.idempotency_key like v_prefix || '%'
        and r.idempotency_key ~ ('^' || v_prefix || t.cause_id || '(/[0-9]+)?:reversal$'));
  if not found then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('%s of %s', new.kind, new.amount);
  end if;
  return null;
end $$;
create constraint trigger guard_fund_investing after insert on ledger_postings deferrable initially deferred
  for each row when (new.kind in ('fund_invest', 'fund_divest')) execute function guard_fund_investing();

-- Raises RL001 when a payout of the operator leaves less than nothing in revenue or fees, which have no row to lock. The
-- payouts of all processes wait for each other.
create function guard_operator_payout() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_held numeric;
begin
  perform pg_advisory_xact_lock(1718969459, 0);
  select coalesce(sum(case destination when new.source then amount else -amount end), 0) into v_held
  from ledger_flow_sums where asset = new.asset and new.source in (source, destination);
  if v_held < 0 then
    raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
      detail = format('%s has %s %s less than was paid', new.source, -v_held, new.asset);
  end if;
  return null;
end $$;
create trigger guard_operator_payout after insert on ledger_flow_deltas
  for each row when (new.kind in ('treasury_payout', 'exit_hold') and new.source in ('revenue', 'fees'))
  execute function guard_operator_payout();
