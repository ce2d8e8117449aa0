-- Writes the entries of a transaction in one member's books, and the member's head. Returns the number, or
-- null, or -1, like ledger_post_member, which calls it. `rif distribute` creates one of these functions for
-- each shard, with the shard's tables in place of those named here, so its statements are planned once for
-- each session.
drop function if exists ledger_write_member(bigint, bigint, bigint[], bigint, int[], bytea, text, text, text, text, date, timestamptz,
  bigint[], text[], text[], text[], bigint[]);
create or replace function ledger_write_member(
  p_member bigint, p_reverses_seq bigint, p_lines int[], p_digest bytea,
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns bigint
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  v_seq bigint;
  v_balances bigint[];
  v_known bytea;
  v_line int;
begin
  select seq + 1, balances into v_seq, v_balances from ledger_heads where member_id = p_member for update;
  if not found then
    insert into ledger_heads as head (member_id, seq) values (p_member, 0)
    on conflict (member_id) do update set seq = head.seq
    returning seq + 1, balances into v_seq, v_balances;
  end if;
  select content_digest into v_known from ledger_entries where member_id = p_member and idempotency_key = p_key;
  if found then
    -- The digest covers the lines of every member, so the first member decides, before anything else is written.
    if v_known <> p_digest then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
    end if;
    return null;
  end if;
  insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination, posted_at,
    content_digest, idempotency_key, cause_type, cause_id, reverses_seq)
  values (p_member, v_seq, p_amounts[p_lines[1]], p_accounting_day, p_lines[1], p_kind, p_assets[p_lines[1]],
    p_sources[p_lines[1]], p_destinations[p_lines[1]], p_posted_at, p_digest, p_key, p_cause_type, p_cause_id, p_reverses_seq);
  foreach v_line in array p_lines loop
    if v_line > p_lines[1] then
      insert into ledger_entries (member_id, seq, amount, accounting_day, line, kind, asset, source, destination)
      values (p_member, v_seq, p_amounts[v_line], p_accounting_day, v_line, p_kind, p_assets[v_line], p_sources[v_line],
        p_destinations[v_line]);
    end if;
    insert into ledger_member_flows (member_id, seq, line, accounting_day, kind, asset, source, destination, amount)
    values (p_member, v_seq, v_line, p_accounting_day, p_kind, p_assets[v_line], p_sources[v_line], p_destinations[v_line],
      p_amounts[v_line]);
  end loop;
  v_balances := ledger_moved(v_balances, p_member, p_members, p_assets, p_sources, p_destinations, p_amounts);
  if v_balances is null then
    return -1;
  end if;
  update ledger_heads set seq = v_seq, balances = v_balances where member_id = p_member;
  return v_seq;
end $$;
