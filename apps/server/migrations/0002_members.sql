-- Members, their sessions, and the binary tree (rules, section 3). Plain coordinator tables: they are not distributed.

create table members (
  member_id bigint generated always as identity primary key,
  address text not null unique check (address ~ '^0x[0-9a-f]{40}$'),
  invite_code text not null unique check (invite_code ~ '^[2-9A-HJKMNP-TV-Z]{8}$'),
  sponsor_id bigint references members,
  -- The sponsor's side under which the member was placed.
  section text check (section in ('left', 'right')),
  level smallint not null default 0 check (level between 0 and 5),
  -- Since when the member is valid, that is, has a paid package.
  valid_at timestamptz,
  state text not null default 'active' check (state in ('active', 'deactivated')),
  -- Counts over direct invitees, and the sum of the bases of the member's own paid orders.
  invited_all integer not null default 0,
  invited_valid integer not null default 0,
  invested_micros bigint not null default 0 check (invested_micros >= 0),
  joined_at timestamptz not null,
  check ((sponsor_id is null) = (section is null))
);
create unique index members_one_root on members ((true)) where sponsor_id is null;
create index members_by_sponsor on members (sponsor_id, member_id);

-- Signing in (EIP-4361). A nonce is used once; of a token only the hash is stored.
create table sign_in_nonces (
  nonce text primary key,
  address text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_nonces_by_expiry on sign_in_nonces (expires_at);

create table sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  member_id bigint not null references members,
  address text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_member on sessions (member_id);
create index sessions_by_expiry on sessions (expires_at);

-- A leg is a maximal run of same-side children: it starts at an origin (position 0), whose child on that side has
-- position 1, that one's child on the same side position 2, and so on to the tail. The free slot of outer-leg spillover
-- is the one below the tail, however deep that is. The origin itself lies on another leg, of the other side: at
-- (parent_leg_id, parent_position). Only the root's left leg has no parent; the root is at position 0 of it.
create table legs (
  leg_id bigint generated always as identity primary key,
  side text not null check (side in ('left', 'right')),
  tail_member_id bigint not null references members,
  length integer not null check (length >= 0),
  parent_leg_id bigint references legs,
  parent_position integer,
  check ((parent_leg_id is null) = (parent_position is null))
);

-- A member lies on the leg of its own side, and is the origin of one leg of the other side: its cross leg.
create table placements (
  member_id bigint primary key references members,
  parent_id bigint references members,
  side text not null check (side in ('left', 'right')),
  leg_id bigint not null references legs,
  position integer not null check (position >= 0),
  cross_leg_id bigint not null unique references legs,
  unique (leg_id, position),
  unique (parent_id, side),
  check ((parent_id is null) = (position = 0))
);

-- A Fenwick tree per leg and period over its positions, for suffix sums: what happened to a member at position p, or
-- anywhere below its cross leg, is added at p; so the team below position p on this side is the sum over positions > p.
-- Node n covers positions n to n + lowbit(n) - 1, and a missing row is zero: a leg grows without touching what is there.
-- period 0: all time. yyyymm: that UTC month, volume only.
create table leg_sums (
  leg_id bigint not null references legs,
  period integer not null,
  node integer not null check (node > 0),
  members_all integer not null,
  members_valid integer not null,
  volume_micros bigint not null,
  primary key (leg_id, period, node)
);

-- The nodes to which a position adds: the position, then with its lowest set bit cleared, and so on.
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

-- The nodes that sum the positions from from_position (at least 1) to the leg's end. An array, so that
-- `node = any (...)` is a condition of the index.
create function leg_suffix_nodes(from_position integer, leg_length integer) returns integer[]
language plpgsql immutable parallel safe as $$
declare
  node integer := from_position;
  nodes integer[] := '{}';
begin
  while node <= leg_length loop
    nodes := nodes || node;
    node := node + (node & -node);
  end loop;
  return nodes;
end $$;
