-- What leaves a member at the member's wish, by one policy (rules, section 10): held transfers, saved addresses and the
-- signatures of members. And approvals by several persons (rules, section 12).

-- The flow table gets the hold of a transfer that waits for a review.
do $$
begin
  execute format(
    'create or replace function ledger_flow_list() returns text[] language sql immutable parallel safe return %L::text[]',
    ledger_flow_list() || array[
      'transfer_hold USDT available>locked', 'transfer_hold AMC available>locked',
      'transfer_release USDT locked>available', 'transfer_release AMC locked>available']);
end $$;

-- Withdrawals and transfers are judged by the sum of 24 hours. `recent_micros`: the USDT worth that left the member within
-- the 24 hours up to the request, with it.
alter table withdrawals add column recent_micros bigint not null default 0 check (recent_micros >= 0);
update withdrawals set recent_micros = worth_micros;
alter table withdrawals alter column recent_micros drop default;
create index withdrawals_by_time on withdrawals (member_id, created_at);

-- The sender's row has the status, and what the transfer was judged by, at the time of the request. The receiver's row is
-- written when the transfer arrives.
alter table transfers
  add column status text not null default 'Success'
    check (status in ('Auditing', 'Success', 'Rejected', 'Cancelled')),
  add column worth_micros bigint not null default 0 check (worth_micros >= 0),
  add column recent_micros bigint not null default 0 check (recent_micros >= 0),
  add column level smallint not null default 0,
  -- Why it was held for review; empty when it was not.
  add column reasons text[] not null default '{}'
    check (reasons <@ array['large_amount', 'new_address', 'risk_flag']),
  add column reviewed_at timestamptz,
  add column reviewed_by text,
  add column review_reason text,
  add column completed_at timestamptz,
  add check (direction = 'out' or status = 'Success');
drop trigger append_only on transfers;
update transfers set completed_at = created_at;
alter table transfers
  alter column status drop default,
  alter column worth_micros drop default,
  alter column recent_micros drop default,
  alter column level drop default,
  alter column reasons drop default,
  add check ((status = 'Success') = (completed_at is not null)),
  add check (status <> 'Rejected' or reviewed_at is not null),
  add check (status = 'Success' or reasons <> '{}');
create index transfers_by_time on transfers (member_id, created_at, transfer_id);
create index transfers_auditing on transfers (created_at) where status = 'Auditing';

-- A transfer changes once: when its review ends or its sender cancels it.
create function guard_transfer() returns trigger language plpgsql as $$
begin
  if old.status <> 'Auditing'
    or (old.member_id, old.transfer_id, old.direction, old.counterpart_id, old.asset, old.amount_micros, old.created_at,
        old.worth_micros, old.recent_micros, old.level, old.reasons)
      is distinct from
      (new.member_id, new.transfer_id, new.direction, new.counterpart_id, new.asset, new.amount_micros, new.created_at,
        new.worth_micros, new.recent_micros, new.level, new.reasons) then
    raise exception 'transfer % is not changed from % to %', old.transfer_id, old.status, new.status;
  end if;
  return new;
end $$;
create trigger guarded before update on transfers for each row execute function guard_transfer();
create trigger keep_rows before delete or truncate on transfers for each statement execute function refuse_change();

-- The time at which an address was saved under a name. A name that is changed keeps it.
alter table address_book add column saved_at timestamptz;
update address_book set saved_at = now() where label is not null;
alter table address_book add check ((label is null) = (saved_at is null));

-- The switch "saved addresses only" of a member; no row means that it was never on.
create table saved_only_switches (
  member_id bigint primary key,
  on_since timestamptz not null,
  -- The time from which it is off.
  off_from timestamptz
);

-- The statements that members' wallets signed, each used once: what left and to whom, or a change of the saved addresses.
create table member_consents (
  member_id bigint not null,
  nonce text not null check (nonce ~ '^0x[0-9a-f]{64}$'),
  -- The typed data (EIP-712) as JSON.
  statement text not null,
  signature text not null,
  used_at timestamptz not null,
  primary key (member_id, nonce)
);
create trigger append_only before update or delete or truncate on member_consents
  for each statement execute function refuse_change();

-- Approvals of a proposal: as many persons as it needs. The last one applies it.
create table proposal_approvals (
  proposal_id bigint not null references proposals,
  person text not null,
  address text not null,
  reason text not null,
  signature text not null,
  approved_at timestamptz not null,
  primary key (proposal_id, person)
);
create trigger append_only before update or delete or truncate on proposal_approvals
  for each statement execute function refuse_change();

-- `approvals_needed`: the number of persons who must approve. `payees`: the wallets that it pays or is about, in lower
-- case; nobody decides on what pays the own person.
alter table proposals
  add column approvals_needed smallint not null default 1 check (approvals_needed > 0),
  add column payees text[] not null default '{}';

-- Who sent something to a depositor of revenue.
create index wallet_sends_to on wallet_sends (to_address) where status = 'Success';
