-- Locks the heads of members of this machine, like ledger_lock, in a transaction that is open there and holds
-- their shards. Raises RL013 for pools, and undefined_table for members of other machines.
create or replace function ledger_lock_here(p_pools text[], p_members bigint[]) returns void
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_members bigint[] := p_members;
  v_member bigint;
begin
  if cardinality(p_pools) > 0 then
    raise exception 'the coordinator locks pools' using errcode = 'RL013';
  end if;
  if cardinality(p_members) > 1 then
    v_members := array(select distinct member from unnest(p_members) as member order by member);
  end if;
  foreach v_member in array v_members loop
    if hashint8(v_member) not between own_from and own_to then
      -- The complete name would be replaced by that of this shard.
      execute format('select ledger_lock_%s%s(''{}'', array[$1])', 'here', shard_suffix(v_member)) using v_member;
      continue;
    end if;
    perform from ledger_heads where member_id = v_member for update;
    if not found then
      insert into ledger_heads as head (member_id, seq) values (v_member, 0)
      on conflict (member_id) do update set seq = head.seq;
    end if;
  end loop;
end $$;
