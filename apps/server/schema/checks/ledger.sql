-- The functions that the checks of the ledger's tables call. They read no table.
--
-- The functions in checks are plpgsql: PostgreSQL inlines a check that calls an SQL function, so every statement would
-- parse and plan it again, which doubled the cost of a posting. They name what they call with its schema, for pg_restore.

-- Returns the accounts of operator money that may be spent. `exit_hold` is what announced treasury payouts have set aside.
create or replace function ledger_pool_accounts() returns text[]
language sql immutable parallel safe
return array['commission_pool', 'yield_pool', 'savings_pool', 'dividend_pool', 'suspense', 'exit_hold'];

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
  'claim_set_aside USDT withdrawing>external',
  'claim_set_aside AMC withdrawing>external',
  'claim_set_aside USDT withdrawing>fees',
  'claim_set_aside AMC withdrawing>fees',
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
-- unambiguous. Nearly all flows are in the list as they are, so that one expression decides.
create or replace function ledger_flow_allowed(kind text, asset text, source text, destination text) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if array_position(public.ledger_flow_list(), kind || ' ' || asset || ' ' || source || '>' || destination) is not null then
    return true;
  end if;
  declare
    v_source text := regexp_replace(source, '^fund_custody:[0-9]+$', 'fund_custody');
    v_destination text := regexp_replace(destination, '^fund_custody:[0-9]+$', 'fund_custody');
  begin
    return array_position(public.ledger_flow_list(), case
      when kind like '%:reversal' then left(kind, -9) || ' ' || asset || ' ' || v_destination || '>' || v_source
      else kind || ' ' || asset || ' ' || v_source || '>' || v_destination
    end) is not null;
  end;
end $$;

-- Returns whether a line may stand in the books: its amount is positive, the flow table allows it, and its transaction names what it
-- reverses if, and only if, it is a reversal. The first expression decides for nearly all lines; no listed flow is one of a reversal.
create or replace function ledger_entry_allowed(
  kind text, asset text, source text, destination text, amount bigint, reverses_seq bigint, idempotency_key text
) returns boolean
language plpgsql immutable parallel safe as $$
begin
  if amount > 0 and reverses_seq is null
    and array_position(public.ledger_flow_list(), format('%s %s %s>%s', kind, asset, source, destination)) is not null
  then
    return true;
  end if;
  return amount > 0 and public.ledger_flow_allowed(kind, asset, source, destination)
    and (reverses_seq is not null) = (kind like '%:reversal' and idempotency_key is not null);
end $$;

-- Returns the balances that a member has, in the order in which `ledger_heads.balances` holds them: asset and account. What is added
-- is appended, and the balances of all heads are lengthened with it.
create or replace function ledger_slots() returns text[]
language sql immutable parallel safe
return array[
  'USDT available', 'USDT locked', 'USDT withdrawing', 'USDT savings', 'USDT savings_leaving', 'USDT fund_income',
  'AMC available', 'AMC locked', 'AMC withdrawing', 'AMC savings', 'AMC savings_leaving',
  'RIF available', 'RIF locked',
  'VC available', 'VC locked',
  'DIV available'
];

-- Returns the place of a balance in `ledger_heads.balances`; null when it is none of a member's.
create or replace function ledger_slot(asset text, account text) returns integer
language sql immutable parallel safe
return array_position(ledger_slots(), asset || ' ' || account);
