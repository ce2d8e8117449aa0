-- The triggers of the coordinator's copy of guarded lines, in a form that Citus can execute.

-- Checks, at the end of the database transaction, postings that only an undoing may make, like the function
-- of the migrations. Each line has a row in ledger_guarded, so that comparing it with sums on the coordinator
-- needs no row of a member.
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
    perform where new.source = 'shortfall' and 0 not in (
      select coalesce(sum(case side.account when f.destination then f.amount else -f.amount end), 0)
      from unnest(array['shortfall', new.destination]) as side (account)
      left join ledger_flow_sums as f on f.asset = new.asset and side.account in (f.source, f.destination)
      group by side.account);
  end if;
  if found then
    raise exception 'NOT_AN_UNDOING' using errcode = 'RL007', detail = format('key %s', new.idempotency_key);
  end if;
  return null;
end $$;

-- Checks money that leaves or enters a custody as an investment, like the function of the migrations. First
-- reads the posting's transaction and the number of its reversals from the operator's books, then compares
-- them with tables of the coordinator.
create or replace function guard_fund_investing() returns trigger
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
