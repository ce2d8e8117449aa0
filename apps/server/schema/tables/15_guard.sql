-- The guard (rules, section 13): what keeps money from moving, the audits that find it, and the alarms about it.

-- Why the gate is closed; it is open while there is no row. A difference stays until two admins clear it, and the other
-- causes end by themselves.
create table guard_causes (
  cause text primary key check (cause in ('difference', 'shortfall', 'old_snapshot')),
  detail text not null,
  since timestamptz not null
);

-- The audits that the product ran by itself or for an operator. One without an end was interrupted.
create table guard_audits (
  audit_id bigint generated always as identity primary key,
  kind text not null check (kind in ('full', 'changes')),
  started_at timestamptz not null,
  ended_at timestamptz,
  -- Members whose ledger changed in this transaction or a later one are read by the next audit of changes.
  read_xid bigint,
  differences integer check (differences >= 0),
  check ((ended_at is null) = (differences is null))
);
create index guard_audits_newest on guard_audits (kind, started_at desc);

-- The differences that closed the gate, and who cleared them. A cleared difference does not close the gate again.
create table guard_differences (
  check_name text not null,
  subject text not null,
  expected text not null,
  actual text not null,
  found_at timestamptz not null,
  cleared_at timestamptz,
  prepared_by text,
  cleared_by text,
  primary key (check_name, subject, expected, actual),
  check ((cleared_at is null) = (cleared_by is null) and (cleared_at is null) = (prepared_by is null))
);

-- The time of the installation: before the first snapshot its age counts from here.
create table guard_start (
  singleton boolean primary key default true check (singleton),
  started_at timestamptz not null
);
insert into guard_start (started_at) values (now());

-- Every alarm of the product. `alarms` holds those that are on, so
-- that each begins and ends once, whichever processes see it.
create table alarms (
  name text not null check (name ~ '^[a-z][a-z0-9_]*$'),
  -- What it is about, if there may be several of its name.
  subject text not null,
  detail text not null,
  since timestamptz not null,
  -- Null until it is ended; otherwise those who see it prolong it.
  lasts_until timestamptz,
  primary key (name, subject)
);

-- The messages to the operators, each sent by every channel that is configured.
create table alarm_messages (
  alarm_id bigint generated always as identity primary key,
  event text not null check (event in ('begun', 'ended', 'once')),
  name text not null,
  detail text not null,
  raised_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  webhook_at timestamptz,
  email_at timestamptz,
  ended_at timestamptz,
  subject text not null
);
create index alarm_messages_due on alarm_messages (next_attempt_at) where ended_at is null;
create unique index alarm_messages_once on alarm_messages (name, subject) where event = 'once';
create index alarm_messages_of on alarm_messages (name, alarm_id desc);
