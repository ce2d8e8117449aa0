-- A sign-up for less time (decision 4).

-- The last day that a settlement has closed for sign-ups, as a number of days since 2000. It is at least that of every day that is
-- fixed, and more when a settlement was rolled back, so a later day is open for certain. Without a transaction of its own it is
-- read at once.
create sequence members_closed_day as integer minvalue -2147483648;
select setval('members_closed_day', coalesce((select max(day) - date '2000-01-01' from settlement_days), -2147483648));

-- Waits for the sign-ups of a day. Whoever fixes the day holds it until the day's row is there, so that none comes after it. It writes
-- `members_closed_day`, so it runs as the owner.
create or replace function close_members_day(p_day date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(x'6a6f696e'::integer, p_day - date '2000-01-01');
  perform setval('members_closed_day', greatest(p_day - date '2000-01-01', pg_sequence_last_value('members_closed_day')));
end $$;

-- The statement that inserts a member takes both from the row of the leg that it holds, and no login may delete a member, so these
-- foreign keys found nothing and each locked a row that was written for it. The audit compares them (`leg`, `parent`).
alter table placements drop constraint placements_parent_id_fkey;
alter table legs drop constraint legs_tail_member_id_fkey;
