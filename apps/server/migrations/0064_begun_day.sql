-- A day whose settlement has begun takes the postings of that settlement alone: its figures were read. Others are dated on the day on which
-- they happen, so one that comes then has a clock that went back over midnight (decision 24).

-- The last day whose settlement has begun, as a number of days since 2000. It is at least that of every row of `settlement_days`, and more
-- when a settlement was rolled back, so a later day is open for certain.
select setval('ledger_settled_day', greatest(pg_sequence_last_value('ledger_settled_day'),
  (select max(day) - date '2000-01-01' from settlement_days)));

-- Guards the progress of settlement: a day that has ended, in order, and only forward. Beginning and closing a day wait for the postings
-- to it that are under way. It writes `ledger_settled_day`, so it runs as the owner.
create or replace function guard_settlement_day() returns trigger
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

-- Raises RL006 for a time that differs from the database's, and RL005 for a day that is settled, for a posting of the same day when its
-- settlement has begun, and for a transaction that sees an older state. Holds the day, so that whoever begins or closes it waits for the posting.
create or replace function ledger_enter_day(p_accounting_day date, p_posted_at timestamptz) returns boolean
language plpgsql as $$
declare
  -- An expression runs without a plan of its own, which costs a tenth of `perform`.
  v_locked text;
begin
  if p_posted_at not between transaction_timestamp() - interval '1 second' and clock_timestamp() + interval '1 second'
    and not (select is_simulation from ledger_simulation)
  then
    raise exception 'CLOCK_DIFFERS' using errcode = 'RL006', detail = format(
      'posted at %s, the database has %s, the transaction began at %s',
      p_posted_at, clock_timestamp(), transaction_timestamp());
  end if;
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'postings need the isolation level read committed' using errcode = 'RL005';
  end if;
  v_locked := pg_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01');
  if exists (select from settlement_days where day >= p_accounting_day
    and (state = 'settled' or (p_posted_at at time zone 'UTC')::date <= p_accounting_day))
  then
    raise exception 'DAY_SETTLED' using errcode = 'RL005', detail = format('%s is settled', p_accounting_day);
  end if;
  return true;
end $$;
