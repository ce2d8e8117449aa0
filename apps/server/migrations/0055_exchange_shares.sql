-- What all members together hold of dividend rights and of VC, kept with every posting, so that a member's share of them
-- costs the same however many hold some. Spread over slots by member, so that two exchanges seldom wait for each other.
create table ledger_shares (
  asset text collate "C" not null check (asset in ('DIV', 'VC')),
  slot smallint not null check (slot between 0 and 15),
  -- All members together may hold more than any one amount can be.
  held numeric(40) not null check (held >= 0),
  primary key (asset, slot)
);

insert into ledger_shares (asset, slot, held)
select a.asset, s.slot, coalesce(sum(b.balance), 0)
from unnest(array['DIV', 'VC']) as a (asset)
cross join generate_series(0, 15) as s (slot)
left join ledger_balances as b
  on b.asset = a.asset and b.member_id % 16 = s.slot and ledger_account_class(b.account) = 'member'
group by a.asset, s.slot;

create trigger keep_rows before delete or truncate on ledger_shares
  for each statement execute function ledger_refuse_change();

-- Applies lines to what members hold of the shares. Last in a posting, in the order of asset and slot: whoever has one of
-- these rows waits for nothing but the next of them.
create function ledger_apply_shares(
  p_members bigint[], p_assets text[], p_sources text[], p_destinations text[], p_amounts bigint[]
) returns void
language plpgsql as $$
declare
  v_net record;
begin
  for v_net in
    select l.asset, (l.member % 16)::smallint as slot, sum(side.delta) as delta
    from unnest(p_members, p_assets, p_sources, p_destinations, p_amounts)
        as l (member, asset, source, destination, amount),
      lateral (values (l.source, -l.amount), (l.destination, l.amount)) as side (account, delta)
    where l.asset in ('DIV', 'VC') and ledger_account_class(side.account) = 'member'
    group by l.asset, l.member % 16 having sum(side.delta) <> 0
    order by l.asset, l.member % 16
  loop
    update ledger_shares set held = held + v_net.delta where asset = v_net.asset and slot = v_net.slot;
  end loop;
end $$;

do $migration$
declare
  v_function text;
  v_last text;
  v_source text;
begin
  foreach v_function in array array['ledger_post', 'ledger_post_many'] loop
    select pg_get_functiondef(oid) into strict v_source from pg_proc
    where proname = v_function and pronamespace = 'public'::regnamespace;
    v_last := case v_function when 'ledger_post' then '  return true;' else '  return cardinality(v_members);' end;
    if cardinality(string_to_array(v_source, v_last)) <> 2 then
      raise exception '% ends in a way that this migration does not know', v_function;
    end if;
    execute replace(v_source, v_last, format(
      E'  if p_assets && ''{DIV,VC}'' then\n    perform %s;\n  end if;\n%s',
      'ledger_apply_shares(p_members, p_assets, p_sources, p_destinations, p_amounts)', v_last));
  end loop;
end $migration$;

do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    revoke insert, update, delete on ledger_shares from rif_app;
  end if;
end $$;
