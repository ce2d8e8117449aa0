-- Raises RL006 for a time that differs from the database's, and RL005 for a day that is settled, for a posting of the same day when its
-- settlement has begun, and for a transaction that sees an older state. Holds the day, so that whoever begins or closes it waits for the posting.
create function ledger_enter_day(p_accounting_day date, p_posted_at timestamptz) returns boolean
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

-- The checks of ledger_enter_day for a day after the last settled one, by the database's clock, in one expression. Where they fail,
-- that function decides.
create function ledger_day_is_open(p_accounting_day date, p_posted_at timestamptz) returns boolean
language sql
return coalesce(case
  when p_posted_at between transaction_timestamp() - interval '1 second' and clock_timestamp()
    and current_setting('transaction_isolation') = 'read committed'
    and pg_try_advisory_xact_lock_shared(1818517881, p_accounting_day - date '2000-01-01')
  then p_accounting_day - date '2000-01-01' > pg_sequence_last_value('ledger_settled_day')
end, false);

-- Locks pools by account and asset, then heads by member: the fixed order of the ledger's locks. A head is locked by an update, which takes
-- the lock of Citus that a move of the member's shard waits for.
create function ledger_lock(p_pools text[], p_members bigint[]) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  v_member bigint;
begin
  if cardinality(p_pools) > 0 then
    perform from ledger_pools where account = any (p_pools) order by account, asset for update;
  end if;
  for v_member in select distinct member from unnest(p_members) as member order by member loop
    update ledger_heads set seq = seq where member_id = v_member;
    if not found then
      insert into ledger_heads as head (member_id, seq) values (v_member, 0) on conflict (member_id) do update set seq = head.seq;
    end if;
  end loop;
end $$;
