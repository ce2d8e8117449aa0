-- One mechanism for all that two people decide (rules, section 12): one admin prepares, another approves or refuses.

-- `content` is what is decided on and carried out, as the very text that was hashed to `digest` and signed. `apply_after` is set when an
-- approval is to take effect later; a worker then applies it, in one transaction with the mark.
create table proposals (
  proposal_id bigint generated always as identity primary key,
  kind text not null,
  -- What it is about: two proposals of a kind about the same thing are never open at once.
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

-- What was prepared never changes, and what has ended stays as it ended.
create function guard_proposal() returns trigger language plpgsql as $$
begin
  if (old.kind, old.subject, old.digest, old.reason, old.delay_ms, old.prepared_by, old.prepared_at)
      is distinct from
      (new.kind, new.subject, new.digest, new.reason, new.delay_ms, new.prepared_by, new.prepared_at)
    or not (old.state = 'Open' or (old.state = 'Approved' and new.state in ('Applied', 'Failed'))) then
    raise exception 'proposal % is not changed from % to % in this way', old.proposal_id, old.state, new.state;
  end if;
  return new;
end $$;
create trigger guarded before update on proposals for each row execute function guard_proposal();
create trigger append_only before delete or truncate on proposals
  for each statement execute function refuse_change();

-- What an admin was asked to sign: for one decision, once, for a few minutes.
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
