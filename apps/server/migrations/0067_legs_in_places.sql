-- A sign-up for half of the time (decision 4): the places say all about legs, so a sign-up inserts a member and a place, and no leg.

-- A leg bears the number of the member from whom it starts, its origin; the root's own leg is 0. So a member is the origin of the leg of the
-- own number, which is the cross leg, and the tail of a leg is its place with the highest position.
create temporary table origins on commit drop as select cross_leg_id as leg_id, member_id as origin_id from placements;
create unique index on origins (leg_id);
analyze origins;

alter table leg_sums drop constraint leg_sums_pkey, drop constraint leg_sums_leg_id_fkey;
alter table placements drop constraint placements_leg_id_position_key, drop constraint placements_leg_id_fkey,
  drop constraint placements_cross_leg_id_fkey;

-- `members_all` does not count the members of the leg itself, whose number is that of its places: an event of a sign-up changes the legs
-- above its own. Node n covers positions n to n + lowbit(n) - 1, of which those up to the leg's length exist; it has not got the sign-ups that
-- are not folded yet.
create temporary table unfolded on commit drop as select leg_id, position, members_all from leg_deltas where members_all > 0;
create index on unfolded (leg_id, position);
analyze unfolded;
update leg_sums as sums set
  leg_id = coalesce((select origin_id from origins where origins.leg_id = sums.leg_id), 0),
  members_all = case period when 0 then members_all
    - (least(node + (node & -node), (select length + 1 from legs where legs.leg_id = sums.leg_id)) - node)
    + (select coalesce(sum(unfolded.members_all), 0) from unfolded
       where unfolded.leg_id = sums.leg_id and position >= node and position < node + (node & -node)) else 0 end;
delete from leg_sums where members_all = 0 and members_valid = 0 and volume_micros = 0;
update leg_deltas as deltas set leg_id = coalesce((select origin_id from origins where origins.leg_id = deltas.leg_id), 0);
update placements as places set leg_id = coalesce((select origin_id from origins where origins.leg_id = places.leg_id), 0);

alter table leg_sums add primary key (leg_id, period, node);
-- leg_suffix_nodes covers legs up to this length.
alter table placements drop column cross_leg_id, add unique (leg_id, position), drop constraint placements_position_check,
  add check (position between 0 and 16777215);
drop table legs;
-- The members below a place are the next one on its leg and the first one on its cross leg, whose keys are unique.
alter table placements drop constraint placements_parent_id_side_key;

-- The day of a sign-up, which needs no row of member_deltas beside this one; null for a purchase.
alter table leg_deltas add joined_on date;
create or replace view member_day_sums as
  select day, sum(joined)::bigint as joined, sum(became_valid)::bigint as became_valid
  from (
    select day, joined, became_valid from member_days
    union all
    select day, joined, became_valid from member_deltas
    union all
    select joined_on, members_all, 0 from leg_deltas where joined_on is not null
  ) as parts group by day;
create or replace view member_level_sums as
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

-- What a sign-up writes in one transaction leads to itself and to a sponsor whom it has read, and no login may delete a member, so these
-- foreign keys found nothing, and each locked a row that was written for it. The audit compares them (`place`).
alter table members drop constraint members_sponsor_id_fkey;
alter table placements drop constraint placements_member_id_fkey;
alter table member_invitations drop constraint member_invitations_member_id_fkey;

-- Inserts a member at the end of the leg on a side of a sponsor, and counts it for the sponsor, the day and the teams above. Returns its number
-- and that of the event; null when there is no such sponsor, or the address is taken. Raises RL005 for a day that is fixed. The statements of
-- a function are prepared once for each session, and cost less than parts of one statement, which start and end with it each time.
create function sign_up(p_sponsor_id bigint, p_side text, p_address text, p_invite_code text, p_joined_at timestamptz) returns bigint[]
language plpgsql as $$
declare
  v_day date := (p_joined_at at time zone 'UTC')::date;
  -- A day after the last closed one is open for certain; for any other the function waits, looks, and raises RL005.
  v_is_open boolean := case when pg_try_advisory_xact_lock_shared(x'6a6f696e'::integer, v_day - date '2000-01-01')
    and v_day - date '2000-01-01' > pg_sequence_last_value('members_closed_day') then true else enter_members_day(v_day) end;
  v_locked text;
  v_side text;
  v_leg_id bigint;
  v_path integer[];
  v_parent_id bigint;
  v_position integer;
  v_member_id bigint;
  v_delta_id bigint;
begin
  select side, leg_id, path into v_side, v_leg_id, v_path from placements where member_id = p_sponsor_id;
  if v_side is null then
    return null;
  end if;
  if v_side = p_side then
    v_path := trim_array(v_path, 1);
  else
    v_leg_id := p_sponsor_id;
  end if;
  -- The statements after this see what was committed before the leg was free, and the member gets a later number than all above.
  v_locked := lock_leg(v_leg_id);
  select member_id, position + 1 into v_parent_id, v_position
  from placements where leg_id = v_leg_id order by position desc limit 1;
  if v_parent_id is null then
    v_parent_id := v_leg_id;
    v_position := 1;
  end if;
  v_path := v_path || v_position;
  insert into members (address, invite_code, sponsor_id, section, joined_at)
  values (p_address, p_invite_code, p_sponsor_id, p_side, p_joined_at)
  on conflict (address) do nothing returning member_id into v_member_id;
  if v_member_id is null then
    return null;
  end if;
  insert into placements (member_id, parent_id, side, leg_id, position, path)
  values (v_member_id, v_parent_id, p_side, v_leg_id, v_position, v_path);
  insert into leg_deltas (path, leg_id, position, month, members_all, members_valid, volume_micros, joined_on)
  values (v_path, v_leg_id, v_position, (100 * date_part('year', v_day) + date_part('month', v_day))::integer, 1, 0, 0, v_day)
  returning delta_id into v_delta_id;
  insert into member_invitations as invitations (member_id, joined) values (p_sponsor_id, 1)
  on conflict (member_id) do update set joined = invitations.joined + 1;
  return array[v_member_id, v_delta_id];
end $$;
