-- Exact at any time, whether the deltas are folded or not.
create view member_day_sums as
  select day, sum(joined)::bigint as joined, sum(became_valid)::bigint as became_valid
  from (
    select day, joined, became_valid from member_days
    union all
    select day, joined, became_valid from member_deltas
    union all
    select joined_on, members_all, 0 from leg_deltas where joined_on is not null
  ) as parts group by day;

create view member_level_sums as
  select level, sum(members)::bigint as members
  from (
    select level, members from member_levels
    union all
    select level_to, 1 from member_deltas where level_to is not null
    union all
    select level_from, -1 from member_deltas where level_from is not null
    union all
    select 0::smallint, members_all from leg_deltas where joined_on is not null
  ) as parts group by level;
