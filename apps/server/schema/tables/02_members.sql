-- Members and the binary tree (rules, section 3).

-- Types instead of checks of the tables: PostgreSQL parses the checks of a table from their stored text for each statement that writes a
-- row, and those of a type once for each session.
create domain wallet_address as text check (value ~ '^0x[0-9a-f]{40}$');
create domain invite_code as text check (value ~ '^[2-9A-HJKMNP-TV-Z]{8}$');
create domain tree_side as text check (value in ('left', 'right'));
create domain vip_level as smallint check (value between 0 and 5);
create domain member_state as text check (value in ('active', 'deactivated'));
-- leg_suffix_nodes covers legs up to this length.
create domain leg_position as integer check (value between 0 and 16777215);

-- sponsor_id has no foreign key, nor have the places: a sign-up leads to itself and to a sponsor whom it has read, and no login may
-- delete a member, so the keys would find nothing, and lock a row each. The audit compares them (`leg`, `parent`, `place`).
create table members (
  member_id bigint generated always as identity primary key,
  address wallet_address not null,
  invite_code invite_code not null,
  sponsor_id bigint,
  -- The side of the sponsor under which the member was placed.
  section tree_side,
  level vip_level not null default 0,
  -- When the member became valid, that is, paid a first package.
  valid_at timestamptz,
  -- A deactivated member is frozen: money still arrives, and the member cannot send any.
  state member_state not null default 'active',
  freeze_reason text,
  invited_valid integer not null default 0,
  invested_micros bigint not null default 0 check (invested_micros >= 0),
  joined_at timestamptz not null,
  -- The number among those whom the sponsor invited. That of the last one is their count, so the counts need no table of their own.
  invited_no integer,
  constraint members_freeze check ((state = 'deactivated') = (freeze_reason is not null)),
  check (num_nulls(sponsor_id, section, invited_no) % 3 = 0)
);
create unique index members_one_root on members ((true)) where sponsor_id is null;
create index members_by_sponsor on members (sponsor_id, member_id);
-- Members are numbered in the order of joining, so these also serve "newest first".
create index members_by_level on members (level, member_id);
create index members_with_level on members (member_id) where level > 0;
-- Operators list members in the order of joining: all, those of a level, and those that are frozen.
create index members_by_joining on members (joined_at, member_id);
create index members_by_level_joining on members (level, joined_at, member_id);
create index members_frozen on members (joined_at, member_id) where state = 'deactivated';
-- The indexes that keep wallets and codes unique also find them by their beginning. Their operators compare bytes, which gives the same
-- equality, but a constraint cannot have them.
create unique index members_address_key on members (address text_pattern_ops) include (member_id);
create unique index members_invite_code_key on members (invite_code text_pattern_ops) include (member_id);

-- Members who joined and who became valid on each UTC day, and members on each level. Written under the lock of the tree.
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

-- A member is on the leg of its own side, and is the origin of one leg of the other side: its cross leg.
create table placements (
  member_id bigint primary key,
  parent_id bigint,
  side tree_side not null,
  leg_id bigint not null,
  position leg_position not null,
  -- The route from the top: the position on the root's leg at which it turns off, the position on the next leg at which
  -- it turns off, and so on; last the position on the own leg. Arrays compare element by element and a leg grows only at
  -- its end. The team below a place is therefore one range of paths, so is each of its sides, and a path never changes.
  path integer[] not null,
  check ((parent_id is null) = (position = 0)),
  unique (leg_id, position)
);
-- A btree key has at most 2704 bytes, so the index holds the beginning. It is the whole path unless a tree changes sides
-- more than a hundred times.
create index placements_by_path on placements ((path[1:100]));

-- A Fenwick tree per leg and period over its positions, for suffix sums. Events of a member at position p, or of any
-- member below its cross leg, are added at p; the team below position p on this side is the sum over positions > p.
-- Node n covers positions n to n + lowbit(n) - 1, and a missing row is zero: a leg grows without changes to other rows.
-- Written under the lock of the tree. Period 0 is all time. Period yyyymm is that UTC month and holds volume only.
create table leg_sums (
  leg_id bigint not null,
  period integer not null,
  node integer not null check (node > 0),
  members_all integer not null,
  members_valid integer not null,
  volume_micros bigint not null,
  primary key (leg_id, period, node)
) with (fillfactor = 80);

-- Erasure of the data about a person that the books do not need (decision 44). The books, the consents to what moved money and the
-- sealed log stay as they are. The requests, and when each was carried out; a row holds no erased data.
create table erasures (
  erasure_id bigint generated always as identity primary key,
  member_id bigint not null,
  requested_by text not null check (requested_by in ('member', 'operator')),
  requested_at timestamptz not null,
  -- Until then the member can cancel.
  due_at timestamptz not null check (due_at >= requested_at),
  cancelled_at timestamptz,
  done_at timestamptz,
  check (cancelled_at is null or done_at is null)
);
create unique index erasures_open on erasures (member_id) where cancelled_at is null and done_at is null;
create index erasures_due on erasures (due_at, erasure_id) where cancelled_at is null and done_at is null;
create index erasures_of_member on erasures (member_id, erasure_id desc);
