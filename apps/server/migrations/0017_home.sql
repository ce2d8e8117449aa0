-- What a member sees of the own account: sessions to tell apart and end, and how far the notifications have been read.

alter table sessions
  add column session_id bigint generated always as identity unique,
  -- Browser and system in plain words, as the browser named itself at sign-in; null when it did not. Nothing else of a
  -- device is kept.
  add column device text check (length(device) between 1 and 60),
  -- In steps of some minutes: a request does not write.
  add column last_used_at timestamptz;
update sessions set last_used_at = created_at;
alter table sessions alter column last_used_at set not null;

-- Up to which transaction of the own books a member has been told what happened; no row, nothing yet.
create table member_visits (
  member_id bigint primary key,
  seen_seq bigint not null check (seen_seq >= 0),
  seen_at timestamptz not null
);
