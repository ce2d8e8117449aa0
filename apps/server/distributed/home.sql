-- Functions for transactions that are open on the machine of their member (docs/scale.md, "Transactions at home").

-- Keeps a shard on this machine until the transaction ends: a move waits for this lock of Citus, which only the owner of the tables may
-- take. Raises an error, after which the whole is to be repeated, when the shard is not here.
create or replace function hold_shard(p_shard bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- 5 is the share lock, which every write that Citus plans takes too.
  perform lock_shard_metadata(5, array[p_shard]);
  if not exists (select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = p_shard) then
    raise exception 'shard % is not here', p_shard using errcode = 'serialization_failure';
  end if;
end $$;

-- Takes an advisory lock alone on every machine with shards. Those that are open there share it. No shard moves meanwhile: the update,
-- which finds no row, takes the lock of each shard for which a move waits. No member has a number below zero.
create or replace function lock_on_machines(p_key bigint) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  v_count bigint;
  v_member bigint := 0;
  v_members bigint[] := '{}';
  v_shard bigint;
  v_shards bigint[] := '{}';
begin
  -- One machine has no table of shards.
  if to_regclass('pg_dist_shard') is null then
    return;
  end if;
  select count(*) into v_count from pg_dist_shard where logicalrelid = 'ledger_heads'::regclass;
  while cardinality(v_shards) < v_count loop
    v_member := v_member - 1;
    v_shard := get_shard_id_for_distribution_column('ledger_heads', v_member);
    continue when v_shard = any (v_shards);
    v_members := v_members || v_member;
    v_shards := v_shards || v_shard;
    update ledger_heads set seq = seq where member_id = v_member;
  end loop;
  foreach v_member in array v_members loop
    -- Citus sends the whole query to the machine of the shard.
    perform count(*), pg_advisory_xact_lock(p_key) from ledger_heads where member_id = v_member;
  end loop;
end $$;

-- Returns the key of the lock that a posting at home shares until its transaction ends, and that the settlement of its day takes alone.
create or replace function home_day_key(p_day date) returns bigint
language sql immutable parallel safe
return 1818517881 * 4294967296 + (p_day - date '2000-01-01');

-- Notes that a day is about to be settled, in what only the owner may change.
create or replace function note_settled_day(p_day date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform setval('ledger_settled_day', greatest(day - date '2000-01-01', pg_sequence_last_value('ledger_settled_day')))
  from settlement_days where day = p_day and state = 'staged';
end $$;

-- Guards the progress of settlement, as the function of the migrations does. Closing a day waits for the postings to it on all machines.
-- It changes rows of the machines, so it runs as its caller.
create or replace function guard_settlement_day() returns trigger
language plpgsql security invoker set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'fixed' or new.day is distinct from coalesce(
        (select max(day) + 1 from settlement_days), (select first_day from settlement_start))
      or (new.day >= (clock_timestamp() at time zone 'UTC')::date and not (select is_simulation from ledger_simulation))
    then
      raise exception 'day % cannot be settled now', new.day using errcode = 'RL010';
    end if;
    return new;
  end if;
  if new.day <> old.day or (old.state, new.state) not in (('fixed', 'staged'), ('staged', 'settled')) then
    raise exception 'day % does not go from % to %', old.day, old.state, new.state using errcode = 'RL010';
  end if;
  if new.state = 'settled' then
    perform pg_advisory_xact_lock(1818517881, new.day - date '2000-01-01');
    perform lock_on_machines(home_day_key(new.day));
    perform note_settled_day(new.day);
    update ledger_settled set day = new.day where n = 0;
  end if;
  return new;
end $$;
