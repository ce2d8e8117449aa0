-- The ledger's functions of a distributed database (docs/scale.md, decision 49). `rif distribute` and `rif
-- migrate` apply this file after the migrations. The functions refuse the same as those of the migrations,
-- and also work on plain PostgreSQL, where the tests of the ledger run with both.
--
-- Citus prints a statement anew for the machine of its rows, so each has a form that survives this: no `case x when`, no
-- `for update` over several machines, no statement that writes within another.

-- Returns the suffix of the table and function names of a member's shard: nothing on one machine.
create or replace function shard_suffix(p_member bigint) returns text
language plpgsql set search_path = public, pg_temp as $$
begin
  if to_regproc('get_shard_id_for_distribution_column') is null then
    return '';
  end if;
  return '_' || get_shard_id_for_distribution_column('ledger_heads', p_member);
end $$;

-- Returns the same, and keeps the shard here like hold_shard, which raises the error if it is not.
create or replace function own_shard_suffix(p_member bigint) returns text
language plpgsql set search_path = public, pg_temp as $$
declare
  v_suffix text := shard_suffix(p_member);
begin
  if v_suffix <> '' then
    perform hold_shard(substr(v_suffix, 2)::bigint);
  end if;
  return v_suffix;
end $$;

-- Writes the part of a transaction in one member's books and returns its number there, or null if the same
-- transaction was posted before, or -1 if the member has too little: ledger_post then refuses it, after
-- looking up the key at the other members. All of it runs in one round trip on the machine of the member's
-- rows, by a function of the shard, so that Citus does not plan each statement for each call. p_lines are the
-- indexes of the member's lines.
drop function if exists ledger_post_member(bigint, int[], bytea, text, text, text, text, date, timestamptz, bigint[], text[], text[],
  text[], bigint[], text, text[], text[], text[]);
create or replace function ledger_post_member(
  p_member bigint, p_lines int[], p_digest bytea,
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[], p_reverses_key text
) returns bigint
language plpgsql set search_path = public, pg_temp as $$
declare
  v_seq bigint;
  v_reverses_seq bigint;
  v_suffix text := own_shard_suffix(p_member);
begin
  if p_reverses_key is not null then
    v_reverses_seq := ledger_mirrored(p_member, p_reverses_key, p_kind,
      p_members, p_assets, p_sources, p_destinations, p_amounts);
  end if;
  execute format('select ledger_write_member%s($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)',
    v_suffix)
  into v_seq
  using p_member, v_reverses_seq, p_lines, p_digest, p_key, p_kind, p_cause_type, p_cause_id,
    p_accounting_day, p_posted_at, p_members, p_assets, p_sources, p_destinations, p_amounts;
  return v_seq;
end $$;

-- Locks pools, then heads. A head is locked by a write that the coordinator plans: this takes the shard's
-- lock that a move of the shard requests first. A transaction that held another lock of the shard before
-- would deadlock with the move.
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

-- Returns the parts of a transaction in writing order: each member's lines, and the index of the member's write.
drop function if exists ledger_parts(bigint[], bigint[], text[], text[], text[]);
create or replace function ledger_parts(p_members bigint[], p_write_members bigint[])
returns table (member bigint, lines int[], write int)
language sql immutable as $$
  select member, array_agg(line::int order by line), array_position(p_write_members, member)
  from unnest(p_members) with ordinality as l (member, line) group by member order by member
$$;

-- Posts one transaction, like ledger_post of the migrations. Locks pools, then heads in ascending order; the
-- books of each member are written in one round trip to their machine. A member may have an accompanying
-- write: a statement of write_at_member. A write that posts the member's part too returns its number, which
-- saves the round trip of ledger_post_member.
create or replace function ledger_post_with(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[], p_reverses_key text,
  p_write_members bigint[], p_write_names text[], p_write_queries text[], p_write_values text[]
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
  if num_nulls(p_key, p_cause_type, p_cause_id, p_posted_at) > 0 then
    raise exception 'a transaction has a key, a cause and a time' using errcode = 'not_null_violation';
  end if;
  if ledger_equal_lengths(p_members, p_assets, p_sources, p_destinations, p_amounts) is not true then
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
  for v_part in select * from ledger_parts(p_members, p_write_members) loop
    v_seq := null;
    if v_part.write is not null then
      select seq into v_seq from write_at_member(v_part.member, p_write_names[v_part.write], p_write_queries[v_part.write],
        p_write_values[v_part.write]) as seq;
    end if;
    if v_seq is null then
      select seq into v_seq from ledger_post_member(v_part.member, v_part.lines, v_digest, p_key, p_kind, p_cause_type,
        p_cause_id, p_accounting_day, p_posted_at, p_members, p_assets, p_sources, p_destinations, p_amounts, p_reverses_key) as seq;
    end if;
    if v_seq < 0 then
      -- A used key takes precedence over an insufficient balance, as on one machine.
      perform from ledger_entries
      where member_id = any (p_members) and idempotency_key = p_key and content_digest <> v_digest;
      if found then
        raise exception 'IDEMPOTENCY_CONFLICT' using errcode = 'RL002', detail = format('key %s', p_key);
      end if;
      raise exception 'INSUFFICIENT_BALANCE' using errcode = 'RL001',
        detail = format('member %s has less than key %s takes', v_part.member, p_key);
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

create or replace function ledger_post(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[],
  p_reverses_key text default null
) returns boolean
language plpgsql set search_path = public, pg_temp as $$
begin
  return ledger_post_with(p_key, p_kind, p_cause_type, p_cause_id, p_accounting_day, p_posted_at, p_members, p_assets, p_sources,
    p_destinations, p_amounts, p_reverses_key, '{}', '{}', '{}', '{}');
end $$;

-- The two usual shapes of a transaction: here converted to lines of ledger_post.
create or replace function ledger_post_transfer(
  p_key text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_from bigint, p_to bigint, p_asset text, p_amount bigint
) returns boolean
language plpgsql strict set search_path = public, pg_temp as $$
begin
  return ledger_post(p_key, 'transfer', p_cause_type, p_cause_id, p_accounting_day, p_posted_at, array[p_from, p_to],
    array[p_asset, p_asset], '{available,clearing}', '{clearing,available}', array[p_amount, p_amount]);
end $$;
create or replace function ledger_post_own(
  p_key text, p_kind text, p_cause_type text, p_cause_id text, p_accounting_day date, p_posted_at timestamptz,
  p_member bigint, p_asset text, p_source text, p_destination text, p_amount bigint,
  p_second_destination text, p_second_amount bigint
) returns boolean
language plpgsql strict set search_path = public, pg_temp as $$
declare
  v_lines int := case when p_second_destination = '' and p_second_amount = 0 then 1 else 2 end;
begin
  return ledger_post(p_key, p_kind, p_cause_type, p_cause_id, p_accounting_day, p_posted_at,
    array_fill(p_member, array[v_lines]), array_fill(p_asset, array[v_lines]), array_fill(p_source, array[v_lines]),
    (array[p_destination, p_second_destination])[1:v_lines], (array[p_amount, p_second_amount])[1:v_lines]);
end $$;

-- Operations share no transaction on a cluster.
drop function if exists ledger_post_transfer_each, ledger_post_own_each;
