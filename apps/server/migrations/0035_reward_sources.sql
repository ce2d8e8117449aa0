-- A member sees on another member's card what that member's orders paid.
create index rewards_by_source on rewards (member_id, source_member_id) where source_member_id is not null;
