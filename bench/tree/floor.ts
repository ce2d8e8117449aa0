/**
 * Tables like those of a sign-up, without foreign keys, with all columns, checks and indexes of the version that
 * had rows of legs (before it had places only), so that the floor stays the same.
 */
export const FLOOR_TABLES = `
  create table floor_members (
    member_id bigint generated always as identity primary key,
    address text not null unique check (address ~ '^0x[0-9a-f]{40}$'),
    invite_code text not null unique check (invite_code ~ '^[2-9A-HJKMNP-TV-Z]{8}$'),
    sponsor_id bigint,
    section text check (section in ('left', 'right')),
    level smallint not null default 0 check (level between 0 and 5),
    valid_at timestamptz,
    state text not null default 'active' check (state in ('active', 'deactivated')),
    freeze_reason text,
    invited_valid integer not null default 0,
    invested_micros bigint not null default 0 check (invested_micros >= 0),
    joined_at timestamptz not null,
    check ((sponsor_id is null) = (section is null)),
    check ((state = 'deactivated') = (freeze_reason is not null))
  );
  create unique index on floor_members ((true)) where sponsor_id is null;
  create index on floor_members (sponsor_id, member_id);
  create index on floor_members (level, member_id);
  create index on floor_members (member_id) where level > 0;
  create index on floor_members (address text_pattern_ops) include (member_id);
  create index on floor_members (invite_code text_pattern_ops) include (member_id);
  create index on floor_members (joined_at, member_id);
  create index on floor_members (level, joined_at, member_id);
  create index on floor_members (joined_at, member_id) where state = 'deactivated';
  create table floor_legs (
    leg_id bigint generated always as identity primary key,
    side text not null check (side in ('left', 'right')),
    tail_member_id bigint not null,
    length integer not null check (length >= 0) check (length < 16777216),
    parent_leg_id bigint,
    parent_position integer,
    check ((parent_leg_id is null) = (parent_position is null))
  );
  create table floor_placements (
    member_id bigint primary key,
    parent_id bigint,
    side text not null check (side in ('left', 'right')),
    leg_id bigint not null,
    position integer not null check (position >= 0),
    cross_leg_id bigint not null unique,
    path integer[] not null,
    unique (leg_id, position),
    unique (parent_id, side),
    check ((parent_id is null) = (position = 0))
  );
  create index on floor_placements ((path[1:100]))`

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
