/** Tables like those of a sign-up, without foreign keys. */
export const FLOOR_TABLES = `
  create table floor_members (like members including all);
  create table floor_legs (like legs including all);
  create table floor_placements (like placements including all)`

/** The rows of the sign-up of the member with a given number, in one statement. */
export const FLOOR = `
  with member as (
    insert into floor_members (address, invite_code, sponsor_id, section, joined_at)
    select '0x' || lpad(to_hex(n), 40, '0'), upper(translate(lpad(to_hex(n), 8, '0'), '01', 'gh')), n, 'left', now()
    from (values ($1::bigint)) as given (n)
  ), leg as (
    insert into floor_legs (side, tail_member_id, length) values ('right', $1, 0)
  )
  insert into floor_placements (member_id, parent_id, side, leg_id, position, cross_leg_id, path)
  values ($1, $1, 'left', $1, 1, $1, '{1}')`
