-- What the signing process verifies by itself: the approvals of admins and the consents of members (rules, sections 10, 12).

-- Every approval is stored with everything that its signature covers, also of a proposal that one person approves.
alter table proposal_approvals
  add column nonce text check (nonce ~ '^0x[0-9a-f]{64}$'),
  add column deadline timestamptz;

-- The proposals about a withdrawal are found by its ids: @> '[{"member_id": "1", "withdraw_id": "2"}]'.
create index proposals_by_withdrawal on proposals
  using gin (((content::jsonb) #> '{payload,withdrawals}') jsonb_path_ops) where kind = 'withdrawals';

-- The statement that the member signed for a withdrawal; one statement serves one withdrawal.
alter table withdrawals
  add column consent_nonce text,
  add foreign key (member_id, consent_nonce) references member_consents (member_id, nonce);
create unique index withdrawals_by_consent on withdrawals (member_id, consent_nonce);

-- The time of a request and its consent are final: sums of a day and of 24 hours are taken by it.
create function guard_withdrawal() returns trigger language plpgsql as $$
begin
  if (old.member_id, old.withdrawal_id, old.created_at, old.consent_nonce)
      is distinct from (new.member_id, new.withdrawal_id, new.created_at, new.consent_nonce) then
    raise exception 'withdrawal % keeps its time and its consent', old.withdrawal_id;
  end if;
  return new;
end $$;
create trigger guarded before update of member_id, withdrawal_id, created_at, consent_nonce on withdrawals
  for each row execute function guard_withdrawal();
create trigger keep_rows before delete or truncate on withdrawals for each statement execute function refuse_change();

-- A withdrawal to the own wallet needs no statement below a sum, so the wallet of a member never changes.
create function guard_member() returns trigger language plpgsql as $$
begin
  if (old.member_id, old.address) is distinct from (new.member_id, new.address) then
    raise exception 'member % keeps the wallet', old.member_id;
  end if;
  return new;
end $$;
create trigger guarded before update of member_id, address on members
  for each row execute function guard_member();

-- The USDT worth that a proposal pays; null when it has no price. Worths are added up over 24 hours, by the admin who
-- prepares and by each wallet that is paid, so that a sum that is split needs as many approvers as the sum.
alter table proposals add column worth_micros bigint default 0 check (worth_micros >= 0);
create index proposals_paying_by on proposals (prepared_by, prepared_at) where worth_micros is distinct from 0;
create index proposals_paying on proposals (prepared_at) where worth_micros is distinct from 0;

-- The transfers of USDT and AMC to a depositor of revenue that the nodes gave when an attestation was prepared: the blocks
-- that were looked at, and the number of transfers by sending wallet in lower case. The last block is that of the deposit.
create table deposit_looks (
  deposit_id text primary key,
  depositor text not null,
  from_block bigint not null,
  to_block bigint not null check (to_block >= from_block),
  from_at timestamptz not null,
  senders jsonb not null,
  looked_at timestamptz not null
);
create index deposit_looks_of on deposit_looks (depositor, to_block);
create trigger append_only before update or delete or truncate on deposit_looks
  for each statement execute function refuse_change();
