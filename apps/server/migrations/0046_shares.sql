-- Links by which whoever has one reads one proof or one statement of a member for some days. The token is nowhere: only its
-- SHA-256, so that who reads the database cannot open a link.
create table shared_links (
  share_id bigint generated always as identity primary key,
  member_id bigint not null,
  kind text not null check (kind in ('proof', 'statement')),
  -- The day of the report that the proof belongs to.
  day date,
  -- No foreign key: the file may be deleted before the link, which then opens nothing.
  statement_id bigint,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at and expires_at <= created_at + interval '30 days'),
  revoked_at timestamptz,
  check ((kind = 'proof') = (day is not null)),
  check ((kind = 'statement') = (statement_id is not null))
);
create index shared_links_of_member on shared_links (member_id, share_id desc);
create index shared_links_end on shared_links (expires_at);
