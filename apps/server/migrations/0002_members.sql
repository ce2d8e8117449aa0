-- Members, their sessions, and the binary tree (rules, section 3). Members, sessions and the tree are coordinator tables.

create table members (
  member_id bigint generated always as identity primary key,
  address text not null unique check (address ~ '^0x[0-9a-f]{40}$'),
  invite_code text not null unique check (invite_code ~ '^[2-9A-HJKMNP-TV-Z]{8}$'),
  sponsor_id bigint references members,
  -- The side of the sponsor under which the member was placed.
  section text check (section in ('left', 'right')),
  level smallint not null default 0 check (level between 0 and 5),
  -- When the member became valid, that is, paid a first package.
  valid_at timestamptz,
  -- A deactivated member is frozen: money still arrives, and the member cannot send any.
  state text not null default 'active' check (state in ('active', 'deactivated')),
  freeze_reason text,
  -- Counts over direct invitees, and the sum of the bases of the member's own paid orders.
  invited_all integer not null default 0,
  invited_valid integer not null default 0,
  invested_micros bigint not null default 0 check (invested_micros >= 0),
  joined_at timestamptz not null,
  check ((sponsor_id is null) = (section is null)),
  constraint members_freeze check ((state = 'deactivated') = (freeze_reason is not null))
);
create unique index members_one_root on members ((true)) where sponsor_id is null;
create index members_by_sponsor on members (sponsor_id, member_id);
-- Members are numbered in the order of joining (under the placement lock), so these also serve "newest first".
create index members_by_level on members (level, member_id);
create index members_with_level on members (member_id) where level > 0;
-- A search by the beginning of a wallet address or invite code reads member_id from the index alone.
create index members_by_address_prefix on members (address text_pattern_ops) include (member_id);
create index members_by_code_prefix on members (invite_code text_pattern_ops) include (member_id);

-- Members who joined and who became valid on each UTC day, and members on each level. Written under the placement lock,
-- which every sign-up and every paid order holds.
create table member_days (
  day date primary key,
  joined bigint not null default 0 check (joined >= 0),
  became_valid bigint not null default 0 check (became_valid >= 0)
);
create table member_levels (
  level smallint primary key check (level between 0 and 5),
  members bigint not null check (members >= 0)
);
insert into member_levels (level, members) select level, 0 from generate_series(0, 5) as level;

-- A member's private notes about members of the own team: a name, and whether the member is pinned.
create table member_labels (
  member_id bigint not null,
  about_id bigint not null,
  label text not null check (char_length(label) <= 40),
  pinned boolean not null,
  changed_at timestamptz not null,
  primary key (member_id, about_id),
  check (label <> '' or pinned)
);

-- The last transaction of the own books that a member has seen among the notifications; no row when none.
create table member_visits (
  member_id bigint primary key,
  seen_seq bigint not null check (seen_seq >= 0),
  seen_at timestamptz not null
);

-- Sign-in (EIP-4361). A nonce is used once.
create table sign_in_nonces (
  nonce text primary key,
  address text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- The day of a sign-in attempt by a wallet of no member.
  visit_day date
);
create index sign_in_nonces_by_expiry on sign_in_nonces (expires_at);
create index sign_in_nonces_visits on sign_in_nonces (visit_day, address) where visit_day is not null;

-- The number of such wallets on each day, kept when their nonces are deleted.
create table sign_in_days (
  day date primary key,
  visitors bigint not null
);

-- Only the hash of a token is stored. The session of an admin who is no member has no member_id.
create table sessions (
  session_id bigint generated always as identity unique,
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  member_id bigint references members,
  address text not null,
  -- Browser and system as the browser named itself at sign-in; null when it did not. Nothing else about a device is kept.
  device text check (length(device) between 1 and 60),
  created_at timestamptz not null,
  -- Updated in steps of some minutes, so that a request does not write.
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_member on sessions (member_id);
create index sessions_by_address on sessions (address);
create index sessions_by_expiry on sessions (expires_at);

-- The response to a request that moves money, by the client's Idempotency-Key. The row commits together with the
-- operation, so that a repeated request finds either both or neither.
create table idempotency_keys (
  member_id bigint not null,
  key text collate "C" not null,
  operation text not null,
  input_hash bytea not null check (octet_length(input_hash) = 32),
  answer jsonb,
  created_at timestamptz not null,
  primary key (member_id, key)
);
-- Old responses are deleted by age.
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- A leg is a maximal run of children on the same side. It starts at an origin (position 0); the origin's child on that
-- side has position 1, that child's child on the same side position 2, and so on to the tail. The free slot of outer-leg
-- spillover is below the tail, at any depth. The origin itself is on another leg, of the other side: at (parent_leg_id,
-- parent_position). Only the root's left leg has no parent; the root has position 0 on it.
create table legs (
  leg_id bigint generated always as identity primary key,
  side text not null check (side in ('left', 'right')),
  tail_member_id bigint not null references members,
  -- leg_suffix_nodes covers legs up to this length.
  length integer not null check (length >= 0) check (length < 16777216),
  parent_leg_id bigint references legs,
  parent_position integer,
  check ((parent_leg_id is null) = (parent_position is null))
);

-- A member is on the leg of its own side, and is the origin of one leg of the other side: its cross leg.
create table placements (
  member_id bigint primary key references members,
  parent_id bigint references members,
  side text not null check (side in ('left', 'right')),
  leg_id bigint not null references legs,
  position integer not null check (position >= 0),
  cross_leg_id bigint not null unique references legs,
  -- The route from the top: the position on the root's leg at which it turns off, the position on the next leg at which
  -- it turns off, and so on; last the position on the own leg. Arrays compare element by element and a leg grows only at
  -- its end. The team below a place is therefore one range of paths, so is each of its sides, and a path never changes.
  path integer[] not null,
  unique (leg_id, position),
  unique (parent_id, side),
  check ((parent_id is null) = (position = 0))
);
-- A btree key has at most 2704 bytes, so the index holds the beginning. It is the whole path unless a tree changes sides
-- more than a hundred times.
create index placements_by_path on placements ((path[1:100]));

-- A Fenwick tree per leg and period over its positions, for suffix sums. Events of a member at position p, or of any
-- member below its cross leg, are added at p; the team below position p on this side is the sum over positions > p.
-- Node n covers positions n to n + lowbit(n) - 1, and a missing row is zero: a leg grows without changes to other rows.
-- Period 0 is all time. Period yyyymm is that UTC month and holds volume only.
create table leg_sums (
  leg_id bigint not null references legs,
  period integer not null,
  node integer not null check (node > 0),
  members_all integer not null,
  members_valid integer not null,
  volume_micros bigint not null,
  primary key (leg_id, period, node)
);

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
