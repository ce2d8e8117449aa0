-- Persons, admins, their log, their proposals and the switches they operate (rules, section 12).

-- Persons behind the wallets with a role. Four eyes, the last owner and "two persons" go by the number, which is never used again.
-- `joined_into`: the person that this one turned out to be, because their names look alike. It always leads to a person who was not
-- joined into another.
create table persons (
  person_id bigint generated always as identity primary key,
  name text not null unique check (name <> ''),
  joined_into bigint references persons check (joined_into < person_id),
  recorded_at timestamptz not null
);

-- A wallet belongs to one person and never changes it, also after its role was taken.
create table person_wallets (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  person_id bigint not null references persons,
  recorded_at timestamptz not null
);
create index person_wallets_of on person_wallets (person_id);

-- Wallets with a role. Several wallets may belong to one person, who counts once: a person who prepares something with
-- one wallet cannot approve it with another.
create table admins (
  address text primary key references person_wallets check (address ~ '^0x[0-9a-f]{40}$'),
  role text not null check (role in ('viewer', 'operator', 'approver', 'owner')),
  granted_at timestamptz not null
);

-- Actions of admins, with the values before and after.
create table admin_actions (
  action_id bigint generated always as identity primary key,
  actor text not null check (actor <> ''),
  action text not null,
  subject text not null,
  reason text,
  before jsonb,
  after jsonb,
  acted_at timestamptz not null
);
create index admin_actions_by_subject on admin_actions (subject text_pattern_ops, action_id);
create index admin_actions_by_actor on admin_actions (actor, action_id);
create index admin_actions_by_time on admin_actions (acted_at);

-- The log as a hash chain: every action is sealed when its transaction commits. The hash of a seal covers the previous
-- hash, its number and the whole action, so that a later change, omission or insertion breaks the chain. The numbers have
-- no gaps.
create table admin_seals (
  seq bigint primary key check (seq > 0),
  action_id bigint not null unique references admin_actions,
  previous bytea not null check (octet_length(previous) = 32),
  hash bytea not null unique check (octet_length(hash) = 32)
);

-- Decisions of two people: one admin prepares, another approves or refuses. `content` is the text that is decided on and
-- carried out, exactly as hashed to `digest` and signed. `apply_after` is set when an approval takes effect later; a
-- worker then applies it, in one transaction with the change of state.
create table proposals (
  proposal_id bigint generated always as identity primary key,
  kind text not null,
  -- Two proposals of one kind about the same subject are never open at the same time.
  subject text not null,
  content text not null,
  digest bytea not null check (digest = sha256(convert_to(content, 'UTF8'))),
  reason text not null,
  delay_ms bigint not null check (delay_ms >= 0),
  state text not null default 'Open'
    check (state in ('Open', 'Approved', 'Applied', 'Refused', 'Withdrawn', 'Expired', 'Failed')),
  prepared_by text not null,
  prepared_person text not null,
  prepared_at timestamptz not null,
  expires_at timestamptz not null,
  decided_by text,
  decided_at timestamptz,
  decision_reason text,
  signature text,
  apply_after timestamptz,
  applied_at timestamptz,
  result jsonb,
  failure text,
  -- `approvals_needed`: the number of persons who must approve. `payees`: the wallets that it pays or is about, in lower
  -- case; nobody decides on what pays the own person.
  approvals_needed smallint not null default 1 check (approvals_needed > 0),
  payees text[] not null default '{}',
  -- The USDT worth that a proposal pays; null when it has no price. Worths are added up over 24 hours, by the admin who
  -- prepares and by each wallet that is paid, so that a sum that is split needs as many approvers as the sum.
  worth_micros bigint default 0 check (worth_micros >= 0),
  check ((state in ('Approved', 'Applied', 'Refused', 'Failed')) = (decided_by is not null and signature is not null)),
  check ((state = 'Applied') = (applied_at is not null)),
  check ((state = 'Failed') = (failure is not null))
);
create unique index proposals_one_open on proposals (kind, subject) where state in ('Open', 'Approved');
create index proposals_by_state on proposals (state, proposal_id);
create index proposals_expiring on proposals (expires_at) where state = 'Open';
create index proposals_due on proposals (apply_after) where state = 'Approved';
-- The proposals about a withdrawal are found by its ids: @> '[{"member_id": "1", "withdraw_id": "2"}]'.
create index proposals_by_withdrawal on proposals
  using gin (((content::jsonb) #> '{payload,withdrawals}') jsonb_path_ops) where kind = 'withdrawals';
create index proposals_paying_by on proposals (prepared_by, prepared_at) where worth_micros is distinct from 0;
create index proposals_paying on proposals (prepared_at) where worth_micros is distinct from 0;
-- An admin reads what he or she decided on lately.
create index proposals_by_decider on proposals (decided_by, state, proposal_id) where decided_by is not null;

-- Approvals of a proposal: as many persons as it needs. The last one applies it.
create table proposal_approvals (
  proposal_id bigint not null references proposals,
  person text not null,
  address text not null,
  reason text not null,
  signature text not null,
  approved_at timestamptz not null,
  -- Every approval is stored with everything that its signature covers, also of a proposal that one person approves.
  nonce text check (nonce ~ '^0x[0-9a-f]{64}$'),
  deadline timestamptz,
  primary key (proposal_id, person)
);

-- The statements that admins are requested to sign: each for one decision, once, valid for a few minutes.
create table decision_statements (
  nonce text primary key check (nonce ~ '^0x[0-9a-f]{64}$'),
  address text not null,
  proposal_id bigint not null references proposals,
  approve boolean not null,
  reason text not null,
  deadline timestamptz not null,
  used_at timestamptz
);
create index decision_statements_by_deadline on decision_statements (deadline);

-- Areas in which members cannot act.
create table pauses (
  area text primary key check (area in
    ('sign_ups', 'orders', 'withdrawals', 'settlement', 'transfers', 'savings', 'exchange', 'fund')),
  paused_by text not null,
  reason text not null,
  paused_at timestamptz not null
);

-- The switch "saved addresses only" of a member; no row means that it was never on.
create table saved_only_switches (
  member_id bigint primary key,
  on_since timestamptz not null,
  -- The time from which it is off.
  off_from timestamptz
);

-- The opening of a product on a real chain. It begins with all areas paused; two owners open it. A product without a row
-- (the local chain) is open.
create table opening (
  singleton boolean primary key default true check (singleton),
  begun_at timestamptz not null,
  opened_at timestamptz,
  prepared_by text,
  opened_by text,
  -- Who restored which backup, as the owners stated it.
  backup text,
  check ((opened_at is null) = (opened_by is null) and (opened_at is null) = (prepared_by is null)
    and (opened_at is null) = (backup is null))
);

-- Notes of admins about a member, for other admins.
create table member_notes (
  member_id bigint not null,
  note_id bigint generated always as identity,
  text text not null check (char_length(text) between 1 and 2000),
  written_by text not null check (written_by <> ''),
  written_at timestamptz not null,
  primary key (member_id, note_id)
);

-- Members all of whose withdrawals need a review by an admin.
create table risk_flags (
  member_id bigint primary key,
  reason text not null,
  flagged_by text not null,
  flagged_at timestamptz not null
);

-- Jobs that an admin requests or a month brings, and a worker runs: dry runs, repeated settlements, comparisons of plans,
-- monthly bills. The queue of graphile-worker delivers a job to a worker; this table records what came of it. A job whose
-- worker has stopped reporting is queued again, so its work must be safe to restart.
create table jobs (
  job_id bigint generated always as identity primary key,
  kind text not null check (kind in ('dry_run', 'rerun', 'comparison', 'bills', 'audit')),
  -- A later job with the same subject finds the result of this one.
  subject text not null,
  request jsonb not null,
  requested_by text not null,
  requested_at timestamptz not null,
  -- When the job was queued or its worker last reported, and when an admin last read the job.
  beat_at timestamptz not null,
  watched_at timestamptz not null,
  step text not null default 'waiting' check (step in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  progress_ppm integer not null default 0 check (progress_ppm between 0 and 1000000),
  result jsonb,
  -- The error code, or INTERNAL.
  failure text,
  finished_at timestamptz,
  check ((step in ('done', 'failed', 'cancelled')) = (finished_at is not null)),
  check (result is null or step = 'done'),
  check ((step = 'failed') = (failure is not null))
);
create unique index jobs_one_open on jobs (kind) where finished_at is null;
create index jobs_newest on jobs (kind, job_id desc);
create index jobs_done on jobs (kind, subject, job_id desc) where step = 'done';
