-- Returns the accounting day of a reversal: that of the original, or today when it is settled. Raises RL005 while a settlement is under way.
-- A settlement holds its lock from before it reads the day's books until the day's row is there, which other transactions do not see
-- before it commits. The lock is shared until the end of the reversal, so that the next settlement reads what it booked.
create function reversal_day(p_original date, p_today date) returns date
language plpgsql volatile as $$
begin
  if not pg_try_advisory_xact_lock_shared(x'73657474'::integer)
    or exists (select from settlement_days where day >= p_original and state <> 'settled') then
    raise exception 'DAY_IN_SETTLEMENT' using errcode = 'RL005', detail = format('of %s', p_original);
  end if;
  return case when exists (select from settlement_days where day >= p_original) then p_today else p_original end;
end $$;

-- Checks, at the end of the database transaction, what only an undoing posts. An advance is at most what the reversal of its
-- key takes from the same account, and that reversal undoes what an event of the chain caused. Revenue and fees get back
-- from `shortfall` no more than brings it, or them, to zero.
create function guard_undoing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.kind = 'reversal_advance' then
    perform from ledger_postings as a
    where a.member_id = new.member_id and a.seq = new.seq and a.amount > coalesce((
      select sum(r.amount) from ledger_transactions as t join ledger_postings as r using (member_id, seq)
      where t.member_id = new.member_id and t.idempotency_key || '/advance' = new.idempotency_key
        and t.kind in ('order_payment:reversal', 'commission:reversal', 'order_discount_release:reversal',
          'fund_purchase:reversal', 'fund_divest:reversal')
        and r.asset = a.asset and r.source = a.destination), 0);
  else
    perform where new.source = 'shortfall' and 0 not in (
      select coalesce(sum(case side.account when f.destination then f.amount else -f.amount end), 0)
      from unnest(array['shortfall', new.destination]) as side (account)
      left join ledger_flow_sums as f on f.asset = new.asset and side.account in (f.source, f.destination)
      group by side.account);
  end if;
  if found then
    raise exception 'NOT_AN_UNDOING' using errcode = 'RL007', detail = format('key %s', new.idempotency_key);
  end if;
  return null;
end $$;
create constraint trigger guard_undoing after insert on ledger_guarded deferrable initially deferred
  for each row when (new.kind in ('reversal_advance', 'shortfall_cover')) execute function guard_undoing();

-- Delete what records an event or a batch of rewards that was undone. The application's role may not delete such rows.
create function delete_undone_deposit(p_deposit_id text, p_tx_hash text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from revenue_deposits where deposit_id = p_deposit_id and tx_hash = p_tx_hash;
$$;

create function delete_undone_payment(p_tx_hash text, p_log_index integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from unmatched_payments where tx_hash = p_tx_hash and log_index = p_log_index;
$$;

create function delete_undone_claim(p_tx_hash text, p_log_index integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from unmatched_claims where tx_hash = p_tx_hash and log_index = p_log_index;
$$;

create function delete_undone_rewards(p_batch text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from rewards where batch = p_batch;
  delete from reward_batches where batch = p_batch;
$$;
