-- Locks the head of a member of this shard, as ledger_lock does, in a transaction that is open on the shard's machine and holds the shard.
-- Raises RL013 for what only the coordinator can lock.
create or replace function ledger_lock_here(p_pools text[], p_members bigint[]) returns void
language plpgsql set search_path = public, pg_temp set plan_cache_mode = force_generic_plan as $$
declare
  v_member bigint := p_members[1];
begin
  if cardinality(p_pools) > 0 or cardinality(p_members) <> 1 or hashint8(v_member) not between own_from and own_to then
    raise exception 'the coordinator locks pools and members of several shards' using errcode = 'RL013';
  end if;
  perform from ledger_heads where member_id = v_member for update;
  if not found then
    insert into ledger_heads as head (member_id, seq) values (v_member, 0)
    on conflict (member_id) do update set seq = head.seq;
  end if;
end $$;
