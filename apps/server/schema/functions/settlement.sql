-- Returns the last day that is settled; null before the first.
create function last_settled_day() returns date
language sql stable
return (select max(day) from settlement_days where state = 'settled');

-- Admits what a day's settlement depends on (a sign-up, a price, a pause, a cap) on that day until the transaction ends: the settlement
-- waits for it before it fixes the day. Raises RL005 for a day that is fixed. The look needs a snapshot of its own, because the day may
-- have been fixed while the lock was awaited.
create function enter_day(p_day date) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(x'64617973'::integer, p_day - date '2000-01-01');
  if exists (select from settlement_days where day >= p_day) then
    raise exception 'DAY_SETTLED' using errcode = 'RL005', detail = format('%s is fixed', p_day);
  end if;
end $$;

-- Waits for all that entered a day. Whoever fixes the day holds it until the day's row is there, so that nothing comes after it. The key
-- is 'days' as a number; no other lock has it.
create function close_day(p_day date) returns void
language sql as $$
  select pg_advisory_xact_lock(x'64617973'::integer, p_day - date '2000-01-01')
$$;

-- Guards the progress of settlement: a day that has ended, in order, and only forward. Beginning and closing a day wait for the postings
-- to it that are under way. It writes `ledger_settled_day`, so it runs as the owner.
create function guard_settlement_day() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'fixed' or new.day is distinct from coalesce(
        (select max(day) + 1 from settlement_days), (select first_day from settlement_start))
      or (new.day >= (clock_timestamp() at time zone 'UTC')::date and not (select is_simulation from ledger_simulation))
    then
      raise exception 'day % cannot be settled now', new.day using errcode = 'RL010';
    end if;
    perform pg_advisory_xact_lock(1818517881, new.day - date '2000-01-01');
    perform setval('ledger_settled_day', greatest(new.day - date '2000-01-01', pg_sequence_last_value('ledger_settled_day')));
    return new;
  end if;
  if new.day <> old.day or (old.state, new.state) not in (('fixed', 'staged'), ('staged', 'settled')) then
    raise exception 'day % does not go from % to %', old.day, old.state, new.state using errcode = 'RL010';
  end if;
  if new.state = 'settled' then
    perform pg_advisory_xact_lock(1818517881, new.day - date '2000-01-01');
  end if;
  return new;
end $$;
create trigger guarded before insert or update on settlement_days
  for each row execute function guard_settlement_day();

-- Empties the results of a day that is settled. The application's role may not truncate tables.
create function settlement_clear_stage() returns void
language sql security definer set search_path = public, pg_temp as $$
  truncate settlement_members, settlement_rewards, settlement_interest, settlement_dividends;
$$;
