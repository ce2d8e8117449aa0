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

-- An attestation is prepared once and approved once, when the deposit on chain has its asset, amount and document. It is
-- undone once: after its posting was reversed, or after the operator has paid for what its pool had paid out.
create or replace function guard_attestation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.approved_at is null then
      return new;
    end if;
  elsif old.approved_at is null and new.approved_at is not null
    and to_jsonb(new) - '{approved_by,approved_at}'::text[] = to_jsonb(old) - '{approved_by,approved_at}'::text[]
  then
    perform from revenue_deposits
    where deposit_id = new.deposit_id and asset = new.asset and amount_micros = new.amount_micros
      and document_hash = new.document_hash;
    if found then
      return new;
    end if;
  elsif old.undone_at is null and new.undone_at is not null
    and to_jsonb(new) - 'undone_at' = to_jsonb(old) - 'undone_at'
  then
    perform from ledger_transactions
    where member_id = 0 and idempotency_key in (
      format('attestation/%s:reversal', new.attestation_id), format('attestation/%s/made-good', new.attestation_id));
    if found then
      return new;
    end if;
  end if;
  raise exception 'attestation % cannot be written in this way', new.attestation_id using errcode = 'RL008';
end $$;
