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
