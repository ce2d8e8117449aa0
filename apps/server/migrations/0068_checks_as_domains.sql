-- A sign-up for a seventh less time of the database (decision 4). PostgreSQL parses the checks of a table from their stored text for each
-- statement that writes a row, and those of a type once for each session.
create domain wallet_address as text check (value ~ '^0x[0-9a-f]{40}$');
create domain invite_code as text check (value ~ '^[2-9A-HJKMNP-TV-Z]{8}$');
create domain tree_side as text check (value in ('left', 'right'));
create domain vip_level as smallint check (value between 0 and 5);
create domain member_state as text check (value in ('active', 'deactivated'));
-- leg_suffix_nodes covers legs up to this length.
create domain leg_position as integer check (value between 0 and 16777215);

-- The trigger names a column whose type changes.
drop trigger guarded on members;
alter table members
  drop constraint members_address_check, drop constraint members_invite_code_check, drop constraint members_section_check,
  drop constraint members_level_check, drop constraint members_state_check,
  alter address type wallet_address, alter invite_code type invite_code, alter section type tree_side, alter level type vip_level,
  alter state type member_state;
create trigger guarded before update of member_id, address on members for each row execute function guard_member();
alter table placements
  drop constraint placements_side_check, drop constraint placements_position_check,
  alter side type tree_side, alter position type leg_position;

-- Two entries in indexes less for a sign-up: the index that keeps wallets and codes unique also finds them by their beginning. Its operators
-- compare bytes, which gives the same equality, but a constraint cannot have them.
alter table members drop constraint members_address_key, drop constraint members_invite_code_key;
drop index members_by_address_prefix, members_by_code_prefix;
create unique index members_address_key on members (address text_pattern_ops) include (member_id);
create unique index members_invite_code_key on members (invite_code text_pattern_ops) include (member_id);
