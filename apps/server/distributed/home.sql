-- Functions for transactions on the machine of their member (docs/scale.md, "Local transactions").

-- Keeps a shard on this machine until the transaction ends: a move waits for this lock of Citus, which only
-- the owner of the tables may take. Raises an error, after which the caller repeats the whole transaction, if
-- the shard is not here.
create or replace function hold_shard(p_shard bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- 5 is the share lock, which every write planned by Citus takes too.
  perform lock_shard_metadata(5, array[p_shard]);
  if not exists (select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = p_shard) then
    raise exception 'shard % is not here', p_shard using errcode = 'serialization_failure';
  end if;
end $$;

-- Locks the heads of members on several machines, in a transaction that is open on one of these machines. Citus
-- plans the writes, so it knows that the transaction writes on this machine too, and commits in two phases.
create or replace function ledger_lock_spread(p_members bigint[]) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  perform ledger_lock('{}', p_members);
end $$;

-- Executes a statement like write_at_member, for the machine p_from. Raises RL013 if the cluster has replaced that
-- machine: its half of the transaction would be lost with it.
create or replace function write_for_machine(p_member bigint, p_from text, p_name text, p_query text, p_values text)
returns bigint
language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select from pg_dist_node where nodename || ':' || nodeport = p_from) then
    raise exception 'the machine % has been replaced', p_from using errcode = 'RL013';
  end if;
  return execute_in_shard(own_shard_suffix(p_member), p_name, p_query, p_values);
end $$;

-- Executes a statement of write_at_member for a member on another machine, in a transaction that is open on
-- this one. Raises RL013 if the statement has posted nothing. Citus can send the call only if the plan contains
-- the value of p_member, hence the custom plan.
create or replace function ledger_post_elsewhere(p_member bigint, p_name text, p_query text, p_values text) returns void
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  v_seq bigint;
  v_here text := (select nodename || ':' || nodeport from pg_dist_node join pg_dist_local_group using (groupid)
    where noderole = 'primary');
begin
  select seq into v_seq from write_for_machine(p_member, v_here, p_name, p_query, p_values) as seq;
  if v_seq is null then
    raise exception 'the coordinator decides on the posting of member %', p_member using errcode = 'RL013';
  end if;
end $$;

-- Returns a number for each shard that a member of the shard could have. No member has a number below zero.
create or replace function numbers_of_shards() returns bigint[]
language plpgsql set search_path = public, pg_temp as $$
declare
  v_count bigint;
  v_member bigint := 0;
  v_members bigint[] := '{}';
  v_shard bigint;
  v_shards bigint[] := '{}';
begin
  -- Without Citus there is no table of shards.
  if to_regclass('pg_dist_shard') is null then
    return '{}';
  end if;
  select count(*) into v_count from pg_dist_shard where logicalrelid = 'ledger_heads'::regclass;
  while cardinality(v_shards) < v_count loop
    v_member := v_member - 1;
    v_shard := get_shard_id_for_distribution_column('ledger_heads', v_member);
    continue when v_shard = any (v_shards);
    v_members := v_members || v_member;
    v_shards := v_shards || v_shard;
  end loop;
  return v_members;
end $$;

-- Takes an exclusive advisory lock on every machine with shards; local transactions there take it as a shared
-- lock. No shard moves in the meantime: the update, which finds no row, takes the lock of each shard that a
-- move waits for.
create or replace function lock_on_machines(p_key bigint) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  v_member bigint;
  v_members bigint[] := numbers_of_shards();
begin
  foreach v_member in array v_members loop
    update ledger_heads set seq = seq where member_id = v_member;
  end loop;
  foreach v_member in array v_members loop
    -- Citus sends the whole query to the machine of the shard.
    perform count(*), pg_advisory_xact_lock(p_key) from ledger_heads where member_id = v_member;
  end loop;
end $$;

-- Returns the key of the lock that a local posting takes as a shared lock until its transaction ends, and the
-- settlement of its day exclusively.
create or replace function home_day_key(p_day date) returns bigint
language sql immutable parallel safe
return 1818517881 * 4294967296 + (p_day - date '2000-01-01');

-- Closes a day on all machines when its settlement begins, after the guard of the migrations has closed it on
-- the coordinator (triggers fire in order of their names): waits for postings to it there, and stores the day
-- on the machines. The settlement's own postings go through the coordinator. It changes rows of the
-- coordinator and the machines, so it runs as its caller.
create or replace function close_day_at_home() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  perform lock_on_machines(home_day_key(new.day));
  update ledger_settled set day = new.day where n = 0;
  return new;
end $$;
create or replace trigger home before insert on settlement_days
  for each row execute function close_day_at_home();
