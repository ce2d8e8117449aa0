-- The ledger's functions of a distributed database (docs/scale.md, decision 49). `rif distribute` and `rif migrate` apply this
-- file after the migrations. The functions refuse what those of the migrations refuse, and work on plain PostgreSQL too, where
-- the tests of the ledger run with both.
--
-- Citus prints a statement anew for the machine of its rows, so each has a form that survives this: no `case x when`, no
-- `for update` over several machines, no statement that writes within another.

-- Applies a line to the member's balances, as ledger_move of the migrations does. Returns false when the member has too little:
-- ledger_post refuses it then, after it has looked for the key at the other members.
create or replace function ledger_try_move(p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint)
returns boolean language plpgsql as $$
declare
  v_sides int := case when p_source = 'clearing' or p_destination = 'clearing' then 1 else 2 end;
  v_moved int;
  v_opened int;
begin
  update ledger_balances set balance = balance + case when account = p_source then -p_amount else p_amount end
  where member_id = p_member and asset = p_asset and account in (p_source, p_destination)
    and (account <> p_source or balance >= p_amount or ledger_account_class(account) <> 'member');
  get diagnostics v_moved = row_count;
  if v_moved < v_sides then
    v_opened := 0;
    if p_source <> 'clearing' and ledger_account_class(p_source) <> 'member' then
      insert into ledger_balances (member_id, asset, account, balance) values (p_member, p_asset, p_source, -p_amount)
      on conflict (member_id, asset, account) do nothing;
      get diagnostics v_opened = row_count;
    end if;
    if p_destination <> 'clearing' then
      insert into ledger_balances (member_id, asset, account, balance) values (p_member, p_asset, p_destination, p_amount)
      on conflict (member_id, asset, account) do nothing;
      if found then
        v_opened := v_opened + 1;
      end if;
    end if;
    return v_moved + v_opened = v_sides;
  end if;
  return true;
end $$;

-- Writes the part of a transaction in one member's books and returns its number there, or null when the same transaction was
-- posted before, or less than zero when the member has too little: the place of that line. The whole runs where the member's rows
-- stand, in one round trip. p_lines are the places of the member's lines.
create or replace function ledger_post_member(
  p_member bigint, p_lines int[], p_digest bytea,
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[], p_reverses_key text
) returns bigint
language plpgsql set search_path = public, pg_temp as $$
declare
  v_seq bigint;
  v_reverses_seq bigint;
  v_line int;
begin
  insert into ledger_heads as head (member_id, seq) values (p_member, 1)
  on conflict (member_id) do update set seq = head.seq + 1
  returning seq into v_seq;
  if p_reverses_key is not null then
    v_reverses_seq := ledger_mirrored(p_member, p_reverses_key, p_kind,
      p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  insert into ledger_transactions (member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id,
    accounting_day, posted_at, reverses_seq)
  values (p_member, v_seq, p_kind, p_key, p_digest, p_cause_type, p_cause_id, p_accounting_day, p_posted_at, v_reverses_seq)
  on conflict (member_id, idempotency_key) do nothing;
  if not found then
    -- The digest covers the lines of every member, so the first member decides, before anything else is written.
    perform from ledger_transactions
    where member_id = p_member and idempotency_key = p_key and content_digest = p_digest;
    if not found then
      raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
    end if;
    update ledger_heads set seq = seq - 1 where member_id = p_member;
    return null;
  end if;
  foreach v_line in array p_lines loop
    insert into ledger_postings (member_id, seq, line, kind, asset, source, destination, amount, accounting_day)
    values (p_member, v_seq, v_line, p_kind, p_assets[v_line], p_sources[v_line], p_destinations[v_line],
      p_amounts[v_line], p_accounting_day);
    insert into ledger_member_flows (member_id, seq, line, accounting_day, kind, asset, source, destination, amount)
    values (p_member, v_seq, v_line, p_accounting_day, p_kind, p_assets[v_line], p_sources[v_line], p_destinations[v_line],
      p_amounts[v_line]);
    if not ledger_try_move(p_member, p_assets[v_line], p_sources[v_line], p_destinations[v_line], p_amounts[v_line]) then
      return -v_line;
    end if;
  end loop;
  return v_seq;
end $$;

-- Locks pools, then heads. A head is locked by a write that the coordinator plans: this takes the lock of its shard for which a move of
-- the shard asks first. A transaction that had another lock of the shard before would wait for the move, and the move for it.
create or replace function ledger_lock(p_pools text[], p_members bigint[]) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  v_member bigint;
begin
  if cardinality(p_pools) > 0 then
    perform from ledger_pools where account = any (p_pools) order by account, asset for update;
  end if;
  for v_member in select distinct member from unnest(p_members) as member order by member loop
    insert into ledger_heads as head (member_id, seq) values (v_member, 0)
    on conflict (member_id) do update set seq = head.seq;
  end loop;
end $$;

-- Posts one transaction, as the function of the migrations does. Locks pools, then heads in ascending order; the books of each
-- member are written in one round trip to their machine.
create or replace function ledger_post(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_reverses_key text default null
) returns boolean
language plpgsql set search_path = public, pg_temp as $$
declare
  v_digest bytea := ledger_content_digest(
    p_kind, p_cause_type, p_cause_id, p_members, p_assets, p_sources, p_destinations, p_amounts);
  v_spends_pools boolean := ledger_touches_pools(p_sources);
  v_part record;
  v_seq bigint;
  v_is_checked boolean := false;
begin
  if not ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) then
    raise exception 'the columns of the lines differ in length' using errcode = 'RL003', detail = format('key %s', p_key);
  end if;
  if 'clearing' = any (p_sources) or 'clearing' = any (p_destinations) then
    perform from ledger_net(p_assets, p_sources, p_destinations, p_amounts) where account = 'clearing' and delta <> 0;
    if found then
      raise exception 'clearing does not net to zero' using errcode = 'RL003', detail = format('key %s', p_key);
    end if;
  end if;
  if v_spends_pools then
    perform ledger_lock(p_sources || p_destinations, '{}');
  end if;
  for v_part in
    select member, array_agg(line::int order by line) as lines
    from unnest(p_members) with ordinality as l (member, line) group by member order by member
  loop
    select seq into v_seq from ledger_post_member(v_part.member, v_part.lines, v_digest, p_key, p_kind, p_cause_type,
      p_cause_id, p_accounting_day, p_posted_at, p_members, p_assets, p_sources, p_destinations, p_amounts,
      p_reverses_key) as seq;
    if v_seq < 0 then
      -- A key that was used comes before a balance that is too small, as it does where all rows stand on one machine.
      perform from ledger_transactions
      where member_id = any (p_members) and idempotency_key = p_key and content_digest <> v_digest;
      if found then
        raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
      end if;
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001', detail = format('member %s has less than %s in %s %s',
        v_part.member, p_amounts[-v_seq], p_sources[-v_seq], p_assets[-v_seq]);
    elsif v_seq is null then
      if v_is_checked then
        raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
      end if;
      return false;
    end if;
    if not v_is_checked then
      v_is_checked := ledger_enter_day(p_accounting_day, p_posted_at);
      if p_kind = 'attested_revenue' then
        perform ledger_require_attestation(p_key, p_kind, p_cause_type, p_cause_id,
          p_members, p_assets, p_destinations, p_amounts);
      elsif p_kind = 'grant' then
        perform ledger_require_grant(p_assets);
      end if;
    end if;
    if ledger_is_guarded(p_kind, p_sources) then
      insert into ledger_guarded (member_id, seq, line, kind, asset, source, destination, amount, idempotency_key,
        cause_type, cause_id)
      select v_part.member, v_seq, line, p_kind, p_assets[line], p_sources[line], p_destinations[line], p_amounts[line],
        p_key, p_cause_type, p_cause_id
      from unnest(v_part.lines) as line;
    end if;
  end loop;
  if v_spends_pools then
    perform ledger_apply_pools(p_accounting_day, p_assets, p_sources, p_destinations, p_amounts);
  elsif ledger_touches_pools(p_destinations) then
    perform ledger_credit_pools(p_accounting_day, p_assets, p_destinations, p_amounts);
  end if;
  if p_kind in ('treasury_payout', 'exit_hold') then
    perform ledger_require_operator_funds(p_assets, p_sources);
  end if;
  if p_assets && '{DIV,VC}' then
    perform ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  perform commit_together();
  return true;
end $$;
