-- Writes one member's half of a transfer in a transaction that is open on the member's machine and holds the
-- shard. Raises RL013 in unusual cases, like ledger_post_own_here. The sender's half enters the day for both.
create or replace function ledger_post_side_here(
  p_member bigint, p_key text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_from bigint, p_to bigint, p_asset text, p_amount bigint
) returns bigint
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_seq bigint;
begin
  if hashint8(p_member) between own_from and own_to
    and (p_member <> p_from or ledger_enter_day_here(p_accounting_day, p_posted_at))
  then
    v_seq := ledger_post_side(p_member, p_key, p_cause_type, p_cause_id, p_accounting_day, p_posted_at, p_from, p_to, p_asset, p_amount);
  end if;
  if v_seq is null then
    raise exception 'the coordinator decides on key %', p_key using errcode = 'RL013';
  end if;
  return v_seq;
end $$;
