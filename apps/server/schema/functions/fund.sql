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

-- Raises RL011 unless the net assets of a product cover its units at the NAV and its cash covers what is announced. Checked
-- at the end of every database transaction that could change it: one that changes the product (an update) or takes cash of it.
create function check_fund_backing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_product bigint;
  v_found record;
begin
  if tg_op = 'UPDATE' then
    v_product := new.product_id;
  else
    v_product := substring(new.source from '[0-9]+$')::bigint;
  end if;
  select p.nav_micros, p.units_outstanding, p.invested_micros, p.announced_micros, coalesce(c.balance, 0) as cash
    into v_found
  from fund_products as p
  left join ledger_pool_sums as c on c.account = format('fund_custody:%s', v_product) and c.asset = 'USDT'
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
-- It runs after the triggers above, which fire in the order of their names: they name the cause.
create constraint trigger keep_backing after insert on ledger_guarded deferrable initially deferred
  for each row when (new.source like 'fund\_custody:%') execute function check_fund_backing();

-- Raises RL008 unless money that leaves or enters a custody as an investment is that of an approved one, posted once: the
-- cost of an investment whose exit the chain has executed, or the amount of an approved divestment, which a deposit brought.
-- Its key counts the reversals before it.
create function guard_fund_investing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_prefix text := case new.kind when 'fund_invest' then 'fund-investment/' else 'fund-divestment/' end;
  v_cause text;
  v_key text;
  v_reversals bigint;
begin
  if new.kind not in ('fund_invest', 'fund_divest') then
    return null;
  end if;
  select t.cause_id, t.idempotency_key into v_cause, v_key from ledger_transactions as t
  where t.member_id = new.member_id and t.seq = new.seq;
  select count(*) into v_reversals from ledger_transactions as r
  where r.member_id = new.member_id and r.kind = new.kind || ':reversal' and r.idempotency_key like v_prefix || '%'
    and r.idempotency_key ~ ('^' || v_prefix || v_cause || '(/[0-9]+)?:reversal$');
  perform from (values (v_cause)) as t (cause_id)
  left join fund_investments as i on new.kind = 'fund_invest' and i.investment_id::text = t.cause_id
    and i.state in ('announced', 'invested') and i.cost_micros = new.amount
    and new.source = format('fund_custody:%s', i.product_id)
    and ((i.is_simulated and i.exit_id is null) or exists (select from exits as x
      where x.investment_id = i.investment_id and x.exit_id::text = i.exit_id and x.state = 'Executed'
        and x.amount_micros = new.amount))
  left join fund_valuations as v on new.kind = 'fund_divest' and v.valuation_id::text = t.cause_id
    and v.state = 'applied' and v.amount_micros = new.amount
    and new.destination = format('fund_custody:%s', v.product_id)
    and case when v.deposit_id is null then (select is_simulation from ledger_simulation) else exists (
      select from revenue_deposits as d
      where d.deposit_id = v.deposit_id and d.asset = 'USDT' and d.amount_micros = new.amount) end
  where new.member_id = 0 and num_nonnulls(i.product_id, v.product_id) = 1
    and v_key = v_prefix || t.cause_id || case v_reversals when 0 then '' else '/' || v_reversals + 1 end;
  if not found then
    raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('%s of %s', new.kind, new.amount);
  end if;
  return null;
end $$;
create constraint trigger guard_fund_investing after insert on ledger_guarded deferrable initially deferred
  for each row when (new.kind in ('fund_invest', 'fund_divest')) execute function guard_fund_investing();

-- The terms of an investment never change, and its exit is set once.
create function guard_fund_investment() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_steps text[] := '{state,value_micros,exit_id,invested_at,ended_at,cancelled_at}';
begin
  if tg_op = 'INSERT' then
    select s.is_simulation into new.is_simulated from ledger_simulation as s;
    return new;
  end if;
  if to_jsonb(new) - v_steps <> to_jsonb(old) - v_steps or new.exit_id is distinct from coalesce(old.exit_id, new.exit_id)
    or (old.state <> new.state and (old.state, new.state) not in (('announced', 'invested'), ('announced', 'cancelled'),
      ('invested', 'announced'), ('invested', 'ended'), ('ended', 'invested')))
  then
    raise exception 'investment % does not go from % to %', old.investment_id, old.state, new.state
      using errcode = 'RL012';
  end if;
  return new;
end $$;
create trigger guarded before insert or update on fund_investments
  for each row execute function guard_fund_investment();
