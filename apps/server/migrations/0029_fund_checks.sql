-- A product's money leaves the bank by an exit, and comes back by a deposit (rules, sections 2 and 8; decision 29).

-- Only a simulation, which has no chain, books an investment without an exit. The mark stays, so that the audit knows it.
alter table fund_investments add column is_simulated boolean not null default false;

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

-- Raises RL008 unless money that leaves or enters a custody as an investment is that of an approved one, posted once: the
-- cost of an investment whose exit the chain has executed, or the amount of an approved divestment, which a deposit brought.
-- Its key counts the reversals before it.
create or replace function guard_fund_investing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  v_prefix text := case new.kind when 'fund_invest' then 'fund-investment/' else 'fund-divestment/' end;
begin
  if new.kind not in ('fund_invest', 'fund_divest') then
    return null;
  end if;
  perform from ledger_transactions as t
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
