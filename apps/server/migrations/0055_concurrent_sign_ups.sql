-- Sign-ups below different legs do not wait for each other (decision 4): what every team above and the counts of a day gain is
-- appended, and folded into the sums later.

-- Events of members that are not yet added to leg_sums. Rows are only appended, so concurrent sign-ups do not wait for each
-- other, as they would for the rows near the root. The table has no index, because it is always read whole: `path` is the
-- place of the event's member, and says in which teams it counts.
create table leg_deltas (
  delta_id bigint generated always as identity,
  path integer[] not null,
  leg_id bigint not null,
  position integer not null,
  -- The UTC month of the volume, as yyyymm.
  month integer not null,
  members_all integer not null,
  members_valid integer not null,
  volume_micros bigint not null
);

-- Members who joined, became valid or changed their level, not yet added to member_days and member_levels. `level_from` is
-- null for a sign-up, and both levels are null where the level stays.
create table member_deltas (
  day date not null,
  joined integer not null,
  became_valid integer not null,
  level_from smallint,
  level_to smallint
);

-- Both are emptied every few seconds, and read by every page with a team: dead rows must not pile up for a minute.
alter table leg_deltas set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);
alter table member_deltas set (autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0);

-- Exact at any time, whether the deltas are folded or not.
create view member_day_sums as
  select day, sum(joined)::bigint as joined, sum(became_valid)::bigint as became_valid
  from (
    select day, joined, became_valid from member_days
    union all
    select day, joined, became_valid from member_deltas
  ) as parts group by day;
create view member_level_sums as
  select level, sum(members)::bigint as members
  from (
    select level, members from member_levels
    union all
    select level_to, 1 from member_deltas where level_to is not null
    union all
    select level_from, -1 from member_deltas where level_from is not null
  ) as parts group by level;

-- The number of members whom a member has invited. In a table of its own, whose rows are updated at a fifth of the cost of a
-- row of `members`, with its nine indexes and eight checks.
create table member_invitations (
  member_id bigint primary key references members,
  joined bigint not null
) with (fillfactor = 70);
insert into member_invitations (member_id, joined)
select member_id, invited_all from members where invited_all > 0;
alter table members drop column invited_all;

-- A new version of a row that finds room on its page needs no entry in an index.
alter table legs set (fillfactor = 80);
alter table leg_sums set (fillfactor = 80);

-- Admits a sign-up on a day until the transaction ends: the settlement waits for it before it fixes the day, and a day that is
-- fixed gets no members any more. Raises RL005. The look at the day needs a snapshot of its own, because the day may have been
-- fixed while the lock was awaited.
create function enter_members_day(p_day date) returns boolean
language plpgsql set search_path = public, pg_temp as $$
declare
  -- An expression runs without a plan of its own, which costs a tenth of `perform`. 'join' as a number: no other lock has it.
  v_locked text := pg_advisory_xact_lock_shared(x'6a6f696e'::integer, p_day - date '2000-01-01');
begin
  if exists (select from settlement_days where day >= p_day) then
    raise exception 'DAY_SETTLED' using errcode = 'RL005', detail = format('%s is fixed', p_day);
  end if;
  return true;
end $$;

-- Waits for the sign-ups of a day. Whoever fixes the day holds it until the day's row is there, so that none comes after it.
create function close_members_day(p_day date) returns void
language sql as $$
  select pg_advisory_xact_lock(x'6a6f696e'::integer, p_day - date '2000-01-01')
$$;

-- Locks a leg until the transaction ends, which extends it. An advisory lock has one queue, in the order of arrival; whoever
-- waits for a row waits anew for each of those before it, and so for many times its limit.
create function lock_leg(p_leg_id bigint) returns void
language sql as $$
  select pg_advisory_xact_lock((x'6c656773'::bigint << 32) | p_leg_id)
$$;
