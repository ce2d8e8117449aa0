-- Notices outside the app (decision 36): e-mail and web push, for what a member chooses. A member without a contact has no
-- rows here, and no event writes anything for it.

-- The kinds that a member chose, by channel; the kinds that cannot be switched off are not among them.
create table notice_members (
  member_id bigint primary key references members,
  mail text[] not null,
  push text[] not null,
  locale text not null check (locale in ('en', 'ja', 'ko', 'zh-Hans')),
  changed_at timestamptz not null
);

-- The only table with e-mail addresses, each encrypted under the operator's key. An address that was replaced or removed
-- stays until its owner has been notified of that.
create table notice_emails (
  email_id bigint generated always as identity primary key,
  member_id bigint not null references notice_members,
  sealed bytea not null check (octet_length(sealed) between 30 and 400),
  -- A keyed hash, to limit what is sent to one address; it does not reveal the address.
  address_hash bytea not null check (octet_length(address_hash) = 32),
  -- Of the code that confirms the address; null once confirmed.
  code_hash bytea check (octet_length(code_hash) = 32),
  code_expires_at timestamptz,
  tries smallint not null default 0 check (tries >= 0),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  ended_at timestamptz,
  check ((code_hash is null) = (code_expires_at is null)),
  check (confirmed_at is null or code_hash is null)
);
-- One confirmed address, and one that waits for its code.
create unique index notice_emails_one on notice_emails (member_id, (confirmed_at is null)) where ended_at is null;
create index notice_emails_ended on notice_emails (ended_at) where ended_at is not null;

-- The browsers that receive pushes. An endpoint belongs to the member who registered it last.
create table notice_pushes (
  push_id bigint generated always as identity primary key,
  member_id bigint not null references notice_members,
  endpoint text not null check (length(endpoint) between 10 and 1000),
  endpoint_hash bytea not null unique check (octet_length(endpoint_hash) = 32),
  p256dh bytea not null check (octet_length(p256dh) = 65),
  auth bytea not null check (octet_length(auth) = 16),
  device text check (length(device) between 1 and 60),
  -- The session that registered it: when a member ends that session, the browser receives nothing any more.
  session_hash bytea not null check (octet_length(session_hash) = 32),
  created_at timestamptz not null,
  taken_at timestamptz
);
create index notice_pushes_by_member on notice_pushes (member_id);
create index notice_pushes_by_session on notice_pushes (session_hash);

-- Each event at most once per member; facts are what the text says: amounts, names, numbers.
create table notices (
  notice_id bigint generated always as identity primary key,
  member_id bigint not null references notice_members,
  event text not null check (length(event) between 1 and 100),
  topic text not null,
  facts jsonb not null,
  created_at timestamptz not null,
  unique (member_id, event)
);
create index notices_by_age on notices (created_at);

-- What is to be sent, to one address or browser each.
create table notice_deliveries (
  delivery_id bigint generated always as identity primary key,
  notice_id bigint not null references notices on delete cascade,
  email_id bigint references notice_emails on delete cascade,
  push_id bigint references notice_pushes on delete cascade,
  attempts smallint not null default 0,
  next_at timestamptz not null,
  -- True for notices that many members get at once: one member's own notices are sent before them.
  bulk boolean not null default false,
  check ((email_id is null) <> (push_id is null))
);
create index notice_deliveries_of_notice on notice_deliveries (notice_id);
create index notice_deliveries_of_email on notice_deliveries (email_id) where email_id is not null;
create index notice_deliveries_of_push on notice_deliveries (push_id) where push_id is not null;
create index notice_deliveries_due on notice_deliveries (bulk, next_at);

-- Events that concern many members, written in the transaction that makes them true; `after_member_id` is how far the
-- notices have been written.
create table notice_spreads (
  event text primary key check (length(event) between 1 and 100),
  topic text not null,
  facts jsonb not null,
  created_at timestamptz not null,
  after_member_id bigint not null default 0,
  done_at timestamptz,
  -- From then on nothing of the event is written or sent: it expired or was withdrawn.
  ends_at timestamptz
);
create index notice_spreads_open on notice_spreads (created_at) where done_at is null;

-- The browsers in which a member has signed in, by the hash of a random number that the browser keeps.
create table notice_devices (
  member_id bigint not null references members,
  device_hash bytea not null check (octet_length(device_hash) = 32),
  seen_at timestamptz not null,
  primary key (member_id, device_hash)
);

-- Announcements by operators (decision 36), each published by the proposal of two persons. Title and text by language, as JSON:
-- {"en": {"title", "text"}, ...}; other languages without one read the English text.
create table announcements (
  announcement_id bigint generated always as identity primary key,
  texts jsonb not null check (texts #>> '{en,title}' <> '' and texts #>> '{en,text}' <> ''),
  proposal_id bigint not null unique,
  proposed_by text not null,
  approved_by text not null,
  published_at timestamptz not null,
  expires_at timestamptz,
  withdrawn_by text,
  withdrawn_at timestamptz,
  withdraw_reason text,
  check ((withdrawn_at is null) = (withdrawn_by is null) and (withdrawn_at is null) = (withdraw_reason is null))
);

-- The announcements that a member closed on home.
create table announcement_dismissals (
  announcement_id bigint not null references announcements,
  member_id bigint not null references members,
  dismissed_at timestamptz not null,
  primary key (announcement_id, member_id)
);
create index announcement_dismissals_by_member on announcement_dismissals (member_id);

-- What became of the notices of an event of many members, one row each, kept after the notices are deleted.
create table notice_counts (
  event text primary key check (length(event) between 1 and 100),
  notices bigint not null default 0,
  mails bigint not null default 0,
  pushes bigint not null default 0,
  -- Refused by the receiver, not taken for three days, or ended before it was sent.
  given_up bigint not null default 0
);
