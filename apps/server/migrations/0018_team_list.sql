-- The team as a list (newest or oldest first, filtered, searched), and a member's private labels.

-- The way from the top to a place: the position on the root's leg at which it is left, the position on the next leg at
-- which that one is left, and so on, last the position on the own leg. Arrays compare element by element, and a leg only
-- grows at its end; so the team below a place is one range of paths, each of its sides is one, and no path ever changes.
-- Its length is the number of side changes on the way, as the cost of a sign-up is (leg_sums).
alter table placements add column path integer[];

with recursive starts (leg_id, path) as (
  select leg_id, '{}'::integer[] from legs where parent_leg_id is null
  union all
  select legs.leg_id, starts.path || legs.parent_position
  from starts join legs on legs.parent_leg_id = starts.leg_id
)
update placements set path = starts.path || placements.position
from starts where starts.leg_id = placements.leg_id;

alter table placements alter column path set not null;

-- A key of a btree has at most 2704 bytes: the index holds the beginning, which is all of it but in a tree that zigzags
-- more than a hundred times.
create index placements_by_path on placements ((path[1:100]));

-- Members are numbered in the order of joining (under the placement lock), so these answer "newest first" as they stand.
create index members_by_level on members (level, member_id);
create index members_with_level on members (member_id) where level > 0;
create index members_by_address_prefix on members (address text_pattern_ops);
create index members_by_code_prefix on members (invite_code text_pattern_ops);

-- What a member notes about members of the own team, for nobody else's eyes: a name, and whether to keep it at hand. It
-- says nothing about a place, and changes none.
create table member_labels (
  member_id bigint not null,
  about_id bigint not null,
  label text not null check (char_length(label) <= 40),
  pinned boolean not null,
  changed_at timestamptz not null,
  primary key (member_id, about_id),
  check (label <> '' or pinned)
);
