-- Locks pools by account and asset, then heads by member: the fixed order of the ledger's locks. Heads that all exist, as nearly always, are
-- locked by one statement.
create or replace function ledger_lock(p_pools text[], p_members bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_member bigint;
begin
  if cardinality(p_pools) > 0 then
    perform from ledger_pools where account = any (p_pools) order by account, asset for update;
  end if;
  perform from unnest(p_members) as member where not exists (select from ledger_heads where member_id = member);
  if not found then
    perform from ledger_heads where member_id = any (p_members) order by member_id for update;
    return;
  end if;
  for v_member in select distinct member from unnest(p_members) as member order by member loop
    insert into ledger_heads (member_id, seq) values (v_member, 0) on conflict (member_id) do nothing;
    perform from ledger_heads where member_id = v_member for update;
  end loop;
end $$;

-- Whether a member has sent to another is asked with each transfer; somebody may have got transfers of many.
create index transfers_sent on transfers (counterpart_id, member_id) where direction = 'out';
drop index transfers_by_counterpart;
