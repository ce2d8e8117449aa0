-- Whoever searches by the beginning of a wallet or a code gets the members' numbers out of the index alone: thousands of
-- hits were fetched from all over the table before.
drop index members_by_address_prefix;
drop index members_by_code_prefix;
create index members_by_address_prefix on members (address text_pattern_ops) include (member_id);
create index members_by_code_prefix on members (invite_code text_pattern_ops) include (member_id);
