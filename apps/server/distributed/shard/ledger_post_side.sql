-- Writes one member's half of a transfer, like ledger_post_transfer, and returns its number in the member's
-- books. Returns null and writes nothing in unusual cases: an insufficient balance, a used key, no head, another
-- asset. It takes single values, because plpgsql prepares each expression again in every transaction, and
-- expressions over arrays cost several times as much as those over single values.
create or replace function ledger_post_side(
  p_member bigint, p_key text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_from bigint, p_to bigint, p_asset text, p_amount bigint
) returns bigint
language plpgsql strict set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_slot int := ledger_slot(p_asset, 'available');
  v_line int := 2;
  v_source text := 'clearing';
  v_destination text := 'available';
  v_gain bigint := p_amount;
  v_seq bigint;
begin
  if p_member = p_from then
    v_line := 1;
    v_source := 'available';
    v_destination := 'clearing';
    v_gain := -p_amount;
  end if;
  update ledger_heads set seq = seq + 1, balances[v_slot] = balances[v_slot] + v_gain
  where member_id = p_member and p_member in (p_from, p_to) and p_from <> p_to and p_asset in ('USDT', 'AMC', 'RIF')
    and balances[v_slot] >= -v_gain
  returning seq into v_seq;
  if not found then
    return null;
  end if;
  insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
    content_digest, idempotency_key, cause_type, cause_id)
  values (p_member, v_seq, p_amount, p_accounting_day, v_line, 'transfer', p_asset, v_source, v_destination, p_posted_at,
    ledger_content_digest('transfer', p_cause_type, p_cause_id, array[p_from, p_to], array[p_asset, p_asset],
      '{available,clearing}', '{clearing,available}', array[p_amount, p_amount]), p_key, p_cause_type, p_cause_id)
  on conflict (member_id, idempotency_key) do nothing;
  if not found then
    update ledger_heads set seq = seq - 1, balances[v_slot] = balances[v_slot] - v_gain where member_id = p_member;
    return null;
  end if;
  insert into ledger_member_flows (member_id, seq, line, accounting_day, kind, asset, source, destination, amount)
  values (p_member, v_seq, v_line, p_accounting_day, 'transfer', p_asset, v_source, v_destination, p_amount);
  return v_seq;
end $$;
