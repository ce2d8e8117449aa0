-- A sign-up writes one row less (decision 4): a member has a number among those whom the sponsor invited, and that of the last one is their
-- count, so the counts need no table of their own.
alter table members add invited_no integer;
update members set invited_no = numbered.invited_no
from (
  select member_id, row_number() over (partition by sponsor_id order by member_id) as invited_no from members where sponsor_id is not null
) as numbered
where numbered.member_id = members.member_id;
alter table members drop constraint members_check, add check (num_nulls(sponsor_id, section, invited_no) % 3 = 0);
drop table member_invitations;

-- Inserts a member at the end of the leg on a side of a sponsor, and counts it for the sponsor, the day and the teams above. Returns its number
-- and that of the event; null when there is no such sponsor, or the address is taken. Raises RL005 for a day that is fixed. The statements of
-- a function are prepared once for each session, and cost less than parts of one statement, which start and end with it each time.
create or replace function sign_up(p_sponsor_id bigint, p_side text, p_address text, p_invite_code text, p_joined_at timestamptz) returns bigint[]
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
  v_invited_no integer;
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
  -- Of two with the same sponsor on different legs, the second waits, and counts the first. 'spon' as a number: no other lock has it.
  v_locked := pg_advisory_xact_lock((x'73706f6e'::bigint << 32) | p_sponsor_id);
  select invited_no into v_invited_no from members where sponsor_id = p_sponsor_id order by member_id desc limit 1;
  v_path := v_path || v_position;
  insert into members (address, invite_code, sponsor_id, section, invited_no, joined_at)
  values (p_address, p_invite_code, p_sponsor_id, p_side, coalesce(v_invited_no, 0) + 1, p_joined_at)
  on conflict (address) do nothing returning member_id into v_member_id;
  if v_member_id is null then
    return null;
  end if;
  insert into placements (member_id, parent_id, side, leg_id, position, path)
  values (v_member_id, v_parent_id, p_side, v_leg_id, v_position, v_path);
  insert into leg_deltas (path, leg_id, position, month, members_all, members_valid, volume_micros, joined_on)
  values (v_path, v_leg_id, v_position, (100 * date_part('year', v_day) + date_part('month', v_day))::integer, 1, 0, 0, v_day)
  returning delta_id into v_delta_id;
  return array[v_member_id, v_delta_id];
end $$;
