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

-- Orders and withdrawals that the bank has paid while the books do not show it, for one alarm for each.
create table chain_missed (
  kind text not null check (kind in ('OrderPaid', 'Claimed')),
  -- The number of the order or withdrawal in the contract.
  onchain_id text not null,
  block_number bigint not null,
  found_at timestamptz not null,
  primary key (kind, onchain_id)
);
create trigger append_only before update or delete or truncate on chain_missed
  for each statement execute function refuse_change();
