-- Posts movements from one balance of a member of this shard to another, like ledger_post_own, in a
-- transaction that is open on the shard's machine and holds the shard. Raises RL013 in all unusual cases,
-- which are left to the coordinator: an insufficient balance, a used key, accounts and kinds with their own
-- checks, a day that is settled or about to be, a deviating clock.
create or replace function ledger_post_own_here(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint,
  p_second_destination text, p_second_amount bigint
) returns boolean
language plpgsql strict set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_from int := ledger_slot(p_asset, p_source);
  v_to int := ledger_slot(p_asset, p_destination);
  v_seq bigint;
begin
  <<usual>>
  begin
    update ledger_heads set seq = seq + 1, balances[v_from] = balances[v_from] - p_amount, balances[v_to] = balances[v_to] + p_amount
    where member_id = p_member and hashint8(p_member) between own_from and own_to and v_from <> v_to and balances[v_from] >= p_amount
      and p_second_destination = '' and p_second_amount = 0
      and p_asset in ('USDT', 'AMC', 'RIF') and p_kind <> all (ledger_checked_kinds())
    returning seq into v_seq;
    exit usual when not found;
    insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
      content_digest, idempotency_key, cause_type, cause_id)
    values (p_member, v_seq, p_amount, p_accounting_day, 1, p_kind, p_asset, p_source, p_destination, p_posted_at,
      ledger_content_digest(p_kind, p_cause_type, p_cause_id, array[p_member], array[p_asset], array[p_source],
        array[p_destination], array[p_amount]), p_key, p_cause_type, p_cause_id)
    on conflict (member_id, idempotency_key) do nothing;
    exit usual when not found;
    insert into ledger_member_flows (member_id, seq, line, accounting_day, kind, asset, source, destination, amount)
    values (p_member, v_seq, 1, p_accounting_day, p_kind, p_asset, p_source, p_destination, p_amount);
    exit usual when not ledger_enter_day_here(p_accounting_day, p_posted_at);
    return true;
  end;
  raise exception 'the coordinator decides on key %', p_key using errcode = 'RL013';
end $$;
