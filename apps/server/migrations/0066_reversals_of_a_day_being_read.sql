-- Returns the accounting day of a reversal: that of the original, or today when it is settled. Raises RL005 while a settlement is under way.
-- A settlement holds its lock from before it reads the day's books until the day's row is there, which other transactions do not see
-- before it commits. The lock is shared until the end of the reversal, so that the next settlement reads what it booked.
create or replace function reversal_day(p_original date, p_today date) returns date
language plpgsql volatile as $$
begin
  if not pg_try_advisory_xact_lock_shared(x'73657474'::integer)
    or exists (select from settlement_days where day >= p_original and state <> 'settled') then
    raise exception 'DAY_IN_SETTLEMENT' using errcode = 'RL005', detail = format('of %s', p_original);
  end if;
  return case when exists (select from settlement_days where day >= p_original) then p_today else p_original end;
end $$;
