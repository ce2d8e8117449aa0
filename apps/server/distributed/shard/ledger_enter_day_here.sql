-- Reports whether a local posting may enter a day, like ledger_enter_day, and makes the day's settlement wait
-- for the transaction. False leaves the decision to the coordinator.
create or replace function ledger_enter_day_here(p_accounting_day date, p_posted_at timestamptz) returns boolean
language plpgsql set plan_cache_mode = force_generic_plan as $$
begin
  if (p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp() + interval '1 second'
    and p_accounting_day = (p_posted_at at time zone 'UTC')::date
    and current_setting('transaction_isolation') = 'read committed'
    and pg_try_advisory_xact_lock_shared(home_day_key(p_accounting_day))) is not true
  then
    return false;
  end if;
  -- A separate statement, so that it sees the commits of earlier holders of the lock.
  perform from ledger_settled where day < p_accounting_day;
  return found;
end $$;
