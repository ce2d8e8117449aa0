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

-- Locks the tree until the transaction ends: places, and the sums of teams, days and levels. It comes after all other locks. The key is
-- 'tree' as a number; no other lock has it.
create function lock_tree() returns void
language sql as $$
  select pg_advisory_xact_lock(x'74726565'::integer)
$$;

-- Adds what happened on a day to the sums of every team above members: valid members and volume on a member's own leg and on each leg
-- above it, and members who joined only above it, because the last position of a leg counts its own members. Changes log2(length) rows a
-- leg, which the members share near the root. The caller holds the lock of the tree. Citus inserts no rows of a recursive query, so they are
-- read first.
create function add_to_teams(p_day date, p_member_ids bigint[], p_joined integer[], p_valid integer[], p_volume_micros bigint[])
returns void
language plpgsql as $$
declare
  v_month integer := 100 * date_part('year', p_day) + date_part('month', p_day);
  v_leg_ids bigint[];
  v_periods integer[];
  v_nodes integer[];
  v_members_all integer[];
  v_members_valid integer[];
  v_volumes bigint[];
begin
  with recursive path (leg_id, position, members_all, joined, members_valid, volume_micros) as (
    select leg_id, position, 0, joined, members_valid, volume_micros
    from unnest(p_member_ids, p_joined, p_valid, p_volume_micros) as added (member_id, joined, members_valid, volume_micros)
    join placements using (member_id)
    union all
    select above.leg_id, above.position, joined, joined, members_valid, volume_micros
    from path cross join lateral (
      select leg_id, position from placements where placements.member_id = path.leg_id offset 0) as above
  ), places as (
    select leg_id, position, sum(members_all)::integer as members_all, sum(members_valid)::integer as members_valid,
      sum(volume_micros)::bigint as volume_micros
    from path where members_all <> 0 or members_valid <> 0 or volume_micros <> 0
    group by leg_id, position
  )
  select array_agg(leg_id), array_agg(period), array_agg(node), array_agg(added_all), array_agg(added_valid), array_agg(added_volume)
  into v_leg_ids, v_periods, v_nodes, v_members_all, v_members_valid, v_volumes
  from (
    select leg_id, events.period, nodes.node, sum(events.members_all)::integer as added_all,
      sum(events.members_valid)::integer as added_valid, sum(volume_micros)::bigint as added_volume
    from places
    cross join lateral unnest(leg_update_nodes(position)) as nodes (node)
    cross join lateral (values (0, members_all, members_valid), (v_month, 0, 0)) as events (period, members_all, members_valid)
    where events.period = 0 or volume_micros <> 0
    group by leg_id, events.period, nodes.node
  ) as added;
  insert into leg_sums as sums (leg_id, period, node, members_all, members_valid, volume_micros)
  select * from unnest(v_leg_ids, v_periods, v_nodes, v_members_all, v_members_valid, v_volumes)
  on conflict (leg_id, period, node) do update set
    members_all = sums.members_all + excluded.members_all,
    members_valid = sums.members_valid + excluded.members_valid,
    volume_micros = sums.volume_micros + excluded.volume_micros;
end $$;

-- Inserts a member at the end of the leg on a side of a sponsor, and counts it for the day, its level and the teams above. Returns its
-- number; null when there is no such sponsor, or the address is taken. The caller has entered the day. Locks the tree; the statements after
-- that see what was committed before it was free.
create function sign_up(p_sponsor_id bigint, p_side text, p_address text, p_invite_code text, p_joined_at timestamptz) returns bigint
language plpgsql as $$
declare
  v_day date := (p_joined_at at time zone 'UTC')::date;
  v_side text;
  v_leg_id bigint;
  v_path integer[];
  v_parent_id bigint;
  v_position integer;
  v_invited_no integer;
  v_member_id bigint;
begin
  perform lock_tree();
  select side, leg_id, path into v_side, v_leg_id, v_path from placements where member_id = p_sponsor_id;
  if v_side is null then
    return null;
  end if;
  if v_side = p_side then
    v_path := trim_array(v_path, 1);
  else
    v_leg_id := p_sponsor_id;
  end if;
  select member_id, position + 1 into v_parent_id, v_position
  from placements where leg_id = v_leg_id order by position desc limit 1;
  if v_parent_id is null then
    v_parent_id := v_leg_id;
    v_position := 1;
  end if;
  select invited_no into v_invited_no from members where sponsor_id = p_sponsor_id order by member_id desc limit 1;
  insert into members (address, invite_code, sponsor_id, section, joined_at, invited_no)
  values (p_address, p_invite_code, p_sponsor_id, p_side, p_joined_at, 1 + coalesce(v_invited_no, 0))
  on conflict (address) do nothing returning member_id into v_member_id;
  if v_member_id is null then
    return null;
  end if;
  insert into placements (member_id, parent_id, side, leg_id, position, path)
  values (v_member_id, v_parent_id, p_side, v_leg_id, v_position, v_path || v_position);
  perform add_to_teams(v_day, array[v_member_id], array[1], array[0], array[0]::bigint[]);
  insert into member_days as days (day, joined) values (v_day, 1) on conflict (day) do update set joined = days.joined + 1;
  update member_levels set members = members + 1 where level = 0;
  return v_member_id;
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
