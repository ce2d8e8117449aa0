-- Admins, their log, their proposals and the switches they operate (rules, section 12).

-- Wallets with a role. Several wallets may belong to one person, who counts once: a person who prepares something with
-- one wallet cannot approve it with another.
create table admins (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  role text not null check (role in ('viewer', 'operator', 'approver', 'owner')),
  person text not null check (person <> ''),
  granted_at timestamptz not null
);
create index admins_by_person on admins (person);

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
create trigger append_only before update or delete or truncate on admin_actions
  for each statement execute function refuse_change();

-- The log as a hash chain: every action is sealed when its transaction commits. The hash of a seal covers the previous
-- hash, its number and the whole action, so that a later change, omission or insertion breaks the chain. The numbers have
-- no gaps.
create table admin_seals (
  seq bigint primary key check (seq > 0),
  action_id bigint not null unique references admin_actions,
  previous bytea not null check (octet_length(previous) = 32),
  hash bytea not null unique check (octet_length(hash) = 32)
);
create trigger append_only before update or delete or truncate on admin_seals
  for each statement execute function refuse_change();

-- Times enter as whole microseconds, because their text depends on settings.
create function admin_action_hash(previous bytea, seq bigint, action admin_actions) returns bytea
language sql immutable parallel safe
return sha256(previous || convert_to(jsonb_build_array(
  seq, (action).action_id, (action).actor, (action).action, (action).subject, (action).reason, (action).before,
  (action).after, (extract(epoch from (action).acted_at) * 1000000)::bigint)::text, 'UTF8'));

-- Runs at the commit, after all other locks: a transaction that waits here waits only for another commit.
create function admin_seal() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  last admin_seals;
begin
  perform pg_advisory_xact_lock(hashtextextended('admin_seals', 0));
  select * into last from admin_seals order by seq desc limit 1;
  if last.seq is null then
    last.seq := 0;
    last.hash := decode(repeat('00', 32), 'hex');
  end if;
  insert into admin_seals (seq, action_id, previous, hash)
  values (last.seq + 1, new.action_id, last.hash, admin_action_hash(last.hash, last.seq + 1, new));
  return null;
end $$;
create constraint trigger sealed after insert on admin_actions
  deferrable initially deferred for each row execute function admin_seal();

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
  check ((state in ('Approved', 'Applied', 'Refused', 'Failed')) = (decided_by is not null and signature is not null)),
  check ((state = 'Applied') = (applied_at is not null)),
  check ((state = 'Failed') = (failure is not null))
);
create unique index proposals_one_open on proposals (kind, subject) where state in ('Open', 'Approved');
create index proposals_by_state on proposals (state, proposal_id);
create index proposals_expiring on proposals (expires_at) where state = 'Open';
create index proposals_due on proposals (apply_after) where state = 'Approved';

-- The prepared content never changes, and a final state stays. A proposal approved for later can be refused until it
-- takes effect.
create function guard_proposal() returns trigger language plpgsql as $$
begin
  if (old.kind, old.subject, old.digest, old.reason, old.delay_ms, old.prepared_by, old.prepared_at)
      is distinct from
      (new.kind, new.subject, new.digest, new.reason, new.delay_ms, new.prepared_by, new.prepared_at)
    or not (old.state = 'Open' or (old.state = 'Approved' and new.state in ('Applied', 'Failed', 'Refused'))) then
    raise exception 'proposal % is not changed from % to % in this way', old.proposal_id, old.state, new.state;
  end if;
  return new;
end $$;
create trigger guarded before update on proposals for each row execute function guard_proposal();
create trigger append_only before delete or truncate on proposals
  for each statement execute function refuse_change();

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
  area text primary key check (area in ('sign_ups', 'orders', 'withdrawals', 'settlement')),
  paused_by text not null,
  reason text not null,
  paused_at timestamptz not null
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
create trigger append_only before update or delete or truncate on member_notes
  for each statement execute function refuse_change();

-- The running server writes actions, and seals only through the trigger.
do $$
begin
  if exists (select from pg_roles where rolname = 'rif_app') then
    revoke insert, update, delete on admin_seals from rif_app;
    revoke update, delete on admin_actions from rif_app;
  end if;
end $$;
