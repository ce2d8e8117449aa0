-- Empties the results of a day that is settled. `truncate` would need a right that lets the application empty more than that.
create or replace function settlement_clear_stage() returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  delete from settlement_members where true;
  delete from settlement_rewards where true;
  delete from settlement_interest where true;
  delete from settlement_dividends where true;
end $$;
