-- The end of a transaction and the daily sums on a distributed database.

-- Makes the transaction commit in two phases if it has written on the coordinator and on another machine.
-- Citus counts only statements that it executes itself: without this the machine would commit first, and a
-- coordinator that died at that moment would lose its part. commit_marks is a coordinator table that Citus
-- manages, and changes of such a table count.
create or replace function commit_together() returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  -- Without Citus this function does not exist.
  if pg_current_xact_id_if_assigned() is not null and to_regproc('get_current_transaction_id') is not null then
    if (get_current_transaction_id()).transaction_number > 0 then
      delete from commit_marks where n = 0;
    end if;
  end if;
end $$;

-- Moves postings into ledger_flow_days, like the function of the migrations. The postings stored with their
-- members are marked first, so that exactly the summed ones are deleted.
create or replace function ledger_fold_flows() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_folded bigint;
  v_marked bigint;
begin
  -- 'flow' as a number; no other advisory lock of this database uses it.
  if not pg_try_advisory_xact_lock(x'666c6f77'::bigint) then
    return 0;
  end if;
  update ledger_member_flows set is_folding = true where true;
  insert into ledger_flow_deltas (accounting_day, kind, asset, source, destination, amount, postings)
  select accounting_day, kind, asset, source, destination, sum(amount), count(*)
  from ledger_member_flows where is_folding group by accounting_day, kind, asset, source, destination;
  delete from ledger_member_flows where is_folding;
  get diagnostics v_marked = row_count;
  with taken as (
    delete from ledger_flow_deltas returning *
  ), folded as (
    insert into ledger_flow_days as days (accounting_day, kind, asset, source, destination, amount, postings)
    select accounting_day, kind, asset, source, destination, sum(amount), sum(postings)
    from taken group by accounting_day, kind, asset, source, destination
    on conflict (accounting_day, kind, asset, source, destination)
    do update set amount = days.amount + excluded.amount, postings = days.postings + excluded.postings
  )
  select sum(postings) into v_folded from taken;
  -- 'cuts' as a number, as in db/cut.ts.
  perform pg_advisory_xact_lock_shared(x'63757473'::bigint);
  perform commit_together();
  return coalesce(v_folded, 0);
end $$;

-- Takes the exclusive session lock of commits on this machine and on every machine with shards. Waits for each
-- no longer than lock_timeout.
create or replace function hold_commits(p_key bigint) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  v_member bigint;
  v_timeout text := current_setting('lock_timeout');
begin
  perform pg_advisory_lock(p_key);
  for v_member in select * from numbers_of_machines() loop
    perform count(*), set_config('lock_timeout', v_timeout, true), pg_advisory_lock(p_key)
    from ledger_heads where member_id = v_member;
  end loop;
end $$;

-- Releases these locks. Returns false if one was no longer held because Citus had closed the connection to the
-- machine.
create or replace function release_commits(p_key bigint) returns boolean
language plpgsql set search_path = public, pg_temp as $$
declare
  v_is_held boolean := pg_advisory_unlock(p_key);
  v_member bigint;
  v_is_held_there boolean;
begin
  for v_member in select * from numbers_of_machines() loop
    select is_held into v_is_held_there
    from (select count(*), pg_advisory_unlock(p_key) as is_held from ledger_heads where member_id = v_member) as machine;
    v_is_held := v_is_held and v_is_held_there;
  end loop;
  return v_is_held;
end $$;

-- Writes a restore point into the log of every machine, for the superuser, while no transaction of several
-- machines commits. citus_create_restore_point alone waits only for those that the coordinator commits, and
-- not for transfers that a sender's machine commits. Waits for each machine no longer than 0.2 s, because
-- commits wait behind it: repeat it after lock_not_available. The locks are those of a transaction, because the
-- session locks of hold_commits would outlast an error. So it needs a transaction block: outside of one Citus
-- ends the transaction on a machine, and with it the lock, after each statement.
create or replace function create_restore_point(p_name text) returns pg_lsn
language plpgsql set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  -- 'cuts' as a number, as in db/cut.ts.
  c_committing constant bigint := x'63757473'::bigint;
  v_member bigint;
  v_point pg_lsn;
  v_is_held boolean;
begin
  perform pg_advisory_xact_lock(c_committing);
  for v_member in select * from numbers_of_machines() loop
    perform count(*), set_config('lock_timeout', '200ms', true), pg_advisory_xact_lock(c_committing)
    from ledger_heads where member_id = v_member;
  end loop;
  v_point := citus_create_restore_point(p_name);
  for v_member in select * from numbers_of_machines() loop
    select is_held into v_is_held
    from (select count(*), holds_lock(c_committing) as is_held from ledger_heads where member_id = v_member) as machine;
    if not v_is_held then
      raise exception 'a machine did not keep the lock of commits: do not use this restore point'
        using hint = 'Call it in a transaction block.';
    end if;
  end loop;
  return v_point;
end $$;

-- Returns whether this session has the exclusive advisory lock of a key below 2^32.
create or replace function holds_lock(p_key bigint) returns boolean
language sql volatile set search_path = public, pg_temp as $$
  select exists (
    select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and mode = 'ExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())
      and (classid, objid, objsubid) = (0::oid, p_key::oid, 1));
$$;

-- Returns a number for each machine with shards that a member there could have.
create or replace function numbers_of_machines() returns setof bigint
language plpgsql set search_path = public, pg_temp as $$
begin
  -- One machine has no table of shards.
  if to_regclass('pg_dist_placement') is not null then
    return query
      select max(member) from unnest(numbers_of_shards()) as member
      join pg_dist_placement on shardid = get_shard_id_for_distribution_column('ledger_heads', member)
      group by groupid order by groupid;
  end if;
end $$;
