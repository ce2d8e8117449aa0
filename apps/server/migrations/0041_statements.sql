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

-- The journal of a day, for operators' exports: postings are stored in about the order of their days.
create index ledger_postings_days on ledger_postings using brin (accounting_day);
