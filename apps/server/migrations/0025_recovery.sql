-- What closes the gaps of setting events aside and of undoing them (docs/decisions/0021 and 0022).

-- The flow table gets the claim that two admins set aside: its withdrawal is paid out all the same.
do $$
begin
  execute format(
    'create or replace function ledger_flow_list() returns text[] language sql immutable parallel safe return %L::text[]',
    ledger_flow_list() || array[
      'claim_set_aside USDT withdrawing>external', 'claim_set_aside AMC withdrawing>external',
      'claim_set_aside USDT withdrawing>fees', 'claim_set_aside AMC withdrawing>fees']);
end $$;
