-- Posts movements between balances of members of this machine, with other writes of their rows, like
-- ledger_post_with, in a transaction that is open there. Raises RL013 in all unusual cases, like
-- ledger_post_own_here, and for members of other machines an error, after which the caller repeats the whole
-- transaction.
create or replace function ledger_post_with_here(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[], p_reverses_key text,
  p_write_members bigint[], p_write_names text[], p_write_queries text[], p_write_values text[]
) returns boolean
language plpgsql set search_path = public, pg_temp as $$
declare
  v_digest bytea := ledger_content_digest(
    p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations, p_amounts);
  v_part record;
begin
  <<usual>>
  begin
    perform from unnest(p_assets, p_sources, p_destinations) as l (asset, source, destination), unnest(array[source, destination]) as account
    where asset not in ('USDT', 'AMC', 'RIF') or (account <> 'clearing' and ledger_slot(asset, account) is null);
    exit usual when found or p_kind = any (ledger_checked_kinds()) or p_reverses_key is not null
      or ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) is not true;
    perform from ledger_net(p_assets, p_sources, p_destinations, p_amounts) where account = 'clearing' and delta <> 0;
    exit usual when found;
    for v_part in select * from ledger_parts(p_members, p_write_members, p_write_names, p_write_queries, p_write_values) loop
      exit usual when ledger_post_member(v_part.member, v_part.lines, v_digest, p_key, p_kind, p_cause_type, p_cause_id,
        p_accounting_day, p_posted_at, p_members, p_assets, p_sources, p_destinations, p_amounts, null, v_part.names,
        v_part.queries, v_part."values") > 0 is not true;
    end loop;
    exit usual when not ledger_enter_day_here(p_accounting_day, p_posted_at);
    return true;
  end;
  raise exception 'the coordinator decides on key %', p_key using errcode = 'RL013';
end $$;
