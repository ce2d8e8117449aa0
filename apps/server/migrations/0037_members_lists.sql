-- Operators list members in the order of joining: all, those of a level, and those that are frozen.
create index members_by_joining on members (joined_at, member_id);
create index members_by_level_joining on members (level, joined_at, member_id);
create index members_frozen on members (joined_at, member_id) where state = 'deactivated';
-- Operators find withdrawals and transfers by the beginning of an address. This serves equality too.
drop index withdrawals_by_address;
create index withdrawals_by_address_prefix on withdrawals (to_address text_pattern_ops);
create index transfers_by_counterpart on transfers (counterpart_id) where direction = 'out';
