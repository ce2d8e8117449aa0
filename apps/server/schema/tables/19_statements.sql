-- Statements of account, what members got back of what they paid (rules, section 5.6), and links to figures that members share.

-- Statements of accounts, tax files and operators' exports. A worker makes each in one transaction, so its chunks are all
-- there or none is.
create table statements (
  statement_id bigint generated always as identity primary key,
  -- The member or the admin who requested it, and who alone may download it.
  member_id bigint,
  admin text check (admin = lower(admin)),
  -- The member whose books a customer statement shows.
  customer_id bigint,
  kind text not null check (kind in ('account', 'tax', 'trial_balance', 'journal', 'customer')),
  format text not null check (format in ('csv', 'pdf')),
  locale text not null,
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  requested_at timestamptz not null,
  step text not null default 'waiting' check (step in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  attempts smallint not null default 0,
  -- When it was requested or its worker last reported.
  beat_at timestamptz not null,
  entries_done bigint not null default 0,
  -- Null until they are counted.
  entries bigint,
  -- The error code, or INTERNAL.
  failure text,
  finished_at timestamptz,
  expires_at timestamptz,
  check ((member_id is null) <> (admin is null)),
  check ((kind in ('account', 'tax')) = (member_id is not null)),
  check ((kind = 'customer') = (customer_id is not null)),
  check ((step in ('done', 'failed', 'cancelled')) = (finished_at is not null)),
  check ((step = 'failed') = (failure is not null)),
  check ((step = 'done') = (expires_at is not null))
);
create index statements_of_member on statements (member_id, statement_id desc) where member_id is not null;
create index statements_of_admin on statements (admin, statement_id desc) where admin is not null;
create index statements_open on statements (statement_id) where step in ('waiting', 'running');
create index statements_expiry on statements (finished_at) where finished_at is not null;

-- A file that is complete. Files and chunks have no foreign key: their transaction must not lock the row that reports progress.
create table statement_files (
  statement_id bigint primary key,
  filename text not null,
  size_bytes bigint not null check (size_bytes >= 0),
  entries bigint not null check (entries >= 0),
  chunks integer not null check (chunks >= 0),
  digest bytea not null
);

-- The content in order, each chunk compressed with gzip. Chunks are stored before the file is complete.
create table statement_chunks (
  statement_id bigint not null,
  position integer not null,
  content bytea not null,
  primary key (statement_id, position)
);

-- The published figures to the end of a settled day.
create table earnings_days (
  day date primary key,
  computed_at timestamptz not null,
  figures jsonb not null
);

-- The first 30, 90 or 365 days of a member with a package, once these have ended: the paid packages and the paid value of
-- the rewards. A row is computed again when a reorganisation undid an order or a reward.
create table earnings_windows (
  member_id bigint not null,
  age smallint not null check (age in (30, 90, 365)),
  level smallint not null,
  first_day date not null,
  paid_micros bigint not null check (paid_micros > 0),
  back_micros bigint not null check (back_micros >= 0),
  primary key (member_id, age)
);

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
