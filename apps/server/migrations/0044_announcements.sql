-- Announcements by operators (decision 45), each published by the proposal of two persons. Title and text by language, as JSON:
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

-- From then on nothing of the event is written or sent: it expired or was withdrawn.
alter table notice_spreads add column ends_at timestamptz;

-- True for notices that many members get at once: one member's own notices are sent before them.
alter table notice_deliveries add column bulk boolean not null default false;
drop index notice_deliveries_due;
create index notice_deliveries_due on notice_deliveries (bulk, next_at);

-- What became of the notices of an event of many members, one row each, kept after the notices are deleted.
create table notice_counts (
  event text primary key check (length(event) between 1 and 100),
  notices bigint not null default 0,
  mails bigint not null default 0,
  pushes bigint not null default 0,
  -- Refused by the receiver, not taken for three days, or ended before it was sent.
  given_up bigint not null default 0
);
insert into notice_counts (event) select event from notice_spreads;
