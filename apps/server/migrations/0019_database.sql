-- What the database itself refuses (rules, section 2).

-- Empties the results of a day that is settled. The application's role may not truncate tables.
create function settlement_clear_stage() returns void
language sql security definer set search_path = public, pg_temp as $$
  truncate settlement_members, settlement_rewards, settlement_interest, settlement_dividends;
$$;
