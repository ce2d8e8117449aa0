-- Raises RL008 unless a posting of attested revenue has the only line of an approved attestation: its pool, asset and
-- amount, under its key. Member 0 is the operator.
create function ledger_require_attestation(
  p_key text, p_kind text, p_cause_type text, p_cause_id text,
  p_members bigint[], p_assets text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
begin
  if p_members = array[0::bigint] and p_cause_type = 'attestation' and p_key = 'attestation/' || p_cause_id then
    perform from attestations
    where attestation_id::text = p_cause_id and approved_at is not null and undone_at is null
      and asset = p_assets[1] and amount_micros = p_amounts[1] and pool = p_destinations[1];
    if found then
      return;
    end if;
  end if;
  raise exception 'NOT_ATTESTED' using errcode = 'RL008', detail = format('key %s', p_key);
end $$;

-- Raises RL009 for a grant of anything but RIF: test deposits are for simulations only.
create function ledger_require_grant(p_assets text[]) returns void
language plpgsql as $$
begin
  if not p_assets <@ '{RIF}' and not (select is_simulation from ledger_simulation) then
    raise exception 'TEST_DEPOSIT' using errcode = 'RL009', detail = 'only RIF is granted';
  end if;
end $$;

-- Raises RL001 when a payout of the operator leaves less than nothing in revenue or fees, which have no row to lock. The
-- payouts of all processes wait for each other. Only the ledger's functions write the flows that it adds up.
create function ledger_require_operator_funds(p_assets text[], p_sources text[]) returns void
language plpgsql as $$
declare
  v_paid record;
  v_held numeric;
begin
  perform pg_advisory_xact_lock(1718969459, 0);
  for v_paid in
    select distinct asset, source from unnest(p_assets, p_sources) as l (asset, source) where source in ('revenue', 'fees')
  loop
    select sum(case destination when v_paid.source then amount else -amount end) into v_held
    from ledger_flow_sums where asset = v_paid.asset and v_paid.source in (source, destination);
    if v_held < 0 then
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('%s has %s %s less than was paid', v_paid.source, -v_held, v_paid.asset);
    end if;
  end loop;
end $$;

-- Returns the number of the member's transaction that the lines mirror: its own lines from the last to the first, each in
-- the opposite direction, with those of all its members. The digest of a transaction covers all of that. Raises RL007, and
-- a violation of the unique key when the transaction was reversed before.
create function ledger_mirrored(
  p_member bigint, p_reverses_key text, p_kind text,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns bigint
language plpgsql as $$
declare
  v_seq bigint;
  v_digest bytea;
  v_cause_type text;
  v_cause_id text;
begin
  select seq, content_digest, cause_type, cause_id into v_seq, v_digest, v_cause_type, v_cause_id
  from ledger_entries where member_id = p_member and idempotency_key = p_reverses_key;
  if v_digest is distinct from (
    select ledger_content_digest(left(p_kind, -9), v_cause_type, v_cause_id, array_agg(member order by line desc),
      array_agg(asset order by line desc), array_agg(source order by line desc), array_agg(destination order by line desc),
      array_agg(amount order by line desc))
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts) with ordinality
      as l (member, asset, destination, source, amount, line))
  then
    raise exception 'NOT_A_MIRROR' using errcode = 'RL007', detail = format('of key %s', p_reverses_key);
  end if;
  perform from ledger_entries where member_id = p_member and reverses_seq = v_seq;
  if found then
    raise exception 'key % is reversed already', p_reverses_key using errcode = 'unique_violation', constraint = 'ledger_entries_reverses';
  end if;
  return v_seq;
end $$;

-- Returns the kinds whose lines are all checked at the end of the database transaction.
create function ledger_guarded_kinds() returns text[]
language sql immutable parallel safe
return array['reversal_advance', 'shortfall_cover', 'exit_hold', 'exit_release', 'treasury_payout', 'fund_invest', 'fund_divest'];

-- Returns whether a transaction has checks of its own: by its kind, or because it takes money of a fund product.
create function ledger_is_checked(p_kind text, p_sources text[]) returns boolean
language sql stable parallel safe
return p_kind = any (array['grant', 'attested_revenue'] || ledger_guarded_kinds()) or array_to_string(p_sources, ' ') like '%fund\_custody:%';

-- Checks a transaction that is posted, or hands its lines to the triggers that check it at the end of the database transaction.
create function ledger_check(
  p_key text, p_kind text, p_cause_type text, p_cause_id text,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[], p_seqs bigint[]
) returns void
language plpgsql as $$
begin
  if p_kind = 'attested_revenue' then
    perform ledger_require_attestation(p_key, p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_destinations, p_amounts);
  elsif p_kind = 'grant' then
    perform ledger_require_grant(p_assets);
  else
    for v_line in 1..cardinality(p_members) loop
      insert into ledger_guarded (member_id, seq, line, kind, asset, source, destination, amount, idempotency_key, cause_type, cause_id)
      values (p_members[v_line], p_seqs[v_line], v_line, p_kind, p_assets[v_line], p_sources[v_line], p_destinations[v_line],
        p_amounts[v_line], p_key, p_cause_type, p_cause_id);
    end loop;
    if p_kind in ('treasury_payout', 'exit_hold') then
      perform ledger_require_operator_funds(p_assets, p_sources);
    end if;
  end if;
end $$;
