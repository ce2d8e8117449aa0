-- Returns the nodes to which a position adds: the position, then with its lowest set bit cleared, and so on.
create function leg_update_nodes(at_position integer) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  node integer := at_position;
  nodes integer[] := '{}';
begin
  while node > 0 loop
    nodes := nodes || node;
    node := node - (node & -node);
  end loop;
  return nodes;
end $$;

-- Returns the nodes that sum the positions from from_position to a leg's end: the position, then rounded up to each power
-- of two. Nodes beyond the end do not exist. An expression without a loop becomes part of the caller's plan: team sums
-- are the most frequent reads, and a function call was a third of their cost.
create function leg_suffix_nodes(from_position integer) returns integer[]
language sql immutable parallel safe as $$
  select array[
    from_position, (from_position + 1) & -2, (from_position + 3) & -4,
    (from_position + 7) & -8, (from_position + 15) & -16, (from_position + 31) & -32,
    (from_position + 63) & -64, (from_position + 127) & -128, (from_position + 255) & -256,
    (from_position + 511) & -512, (from_position + 1023) & -1024, (from_position + 2047) & -2048,
    (from_position + 4095) & -4096, (from_position + 8191) & -8192, (from_position + 16383) & -16384,
    (from_position + 32767) & -32768, (from_position + 65535) & -65536, (from_position + 131071) & -131072,
    (from_position + 262143) & -262144, (from_position + 524287) & -524288, (from_position + 1048575) & -1048576,
    (from_position + 2097151) & -2097152, (from_position + 4194303) & -4194304, (from_position + 8388607) & -8388608
  ]
$$;

-- Locks a leg until the transaction ends, which extends it. An advisory lock has one queue, in the order of arrival; whoever
-- waits for a row waits anew for each of those before it, and so for many times its limit.
create function lock_leg(p_leg_id bigint) returns void
language sql as $$
  select pg_advisory_xact_lock((x'6c656773'::bigint << 32) | p_leg_id)
$$;

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

-- Waits for the sign-ups of a day. Whoever fixes the day holds it until the day's row is there, so that none comes after it. It writes
-- `members_closed_day`, so it runs as the owner.
create function close_members_day(p_day date) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(x'6a6f696e'::integer, p_day - date '2000-01-01');
  perform setval('members_closed_day', greatest(p_day - date '2000-01-01', pg_sequence_last_value('members_closed_day')));
end $$;

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

-- A withdrawal to the own wallet needs no statement below a sum, so the wallet of a member never changes.
create function guard_member() returns trigger language plpgsql as $$
begin
  if (old.member_id, old.address) is distinct from (new.member_id, new.address) then
    raise exception 'member % keeps the wallet', old.member_id;
  end if;
  return new;
end $$;
create trigger guarded before update of member_id, address on members for each row execute function guard_member();
