-- Withdrawals (rules, section 7).

-- On chain its id is (member_id << 64) | withdrawal_id. Worth, level and day are those of the request.
create table withdrawals (
  member_id bigint not null,
  withdrawal_id bigint generated always as identity,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null,
  fee_micros bigint not null check (fee_micros >= 0),
  worth_micros bigint not null check (worth_micros >= 0),
  level smallint not null,
  day date not null,
  to_address text not null check (to_address = lower(to_address)),
  status text not null check (status in ('Auditing', 'Withdrawable', 'Success', 'Rejected', 'Cancelled')),
  -- Why it needs a review; empty when it does not.
  reasons text[] not null check (reasons <@ array['large_amount', 'new_address', 'risk_flag']),
  created_at timestamptz not null,
  reviewed_at timestamptz,
  reviewed_by text,
  review_reason text,
  -- The deadline of the last voucher issued. Until the chain has finalised a later block, it may be claimed.
  claim_expires_at timestamptz,
  tx_hash text,
  seen_block bigint,
  -- The time of the claim's block.
  claimed_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz,
  primary key (member_id, withdrawal_id),
  check (amount_micros > fee_micros),
  check ((status = 'Success') = (completed_at is not null and claimed_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null)),
  check (status not in ('Rejected') or reviewed_at is not null),
  check (status in ('Withdrawable', 'Success', 'Cancelled') or claim_expires_at is null)
);
create index withdrawals_by_day on withdrawals (member_id, day);
create index withdrawals_to on withdrawals (member_id, to_address) where status = 'Success';
create index withdrawals_auditing on withdrawals (created_at) where status = 'Auditing';
-- An admin searches by number, transaction hash or address without the member.
create index withdrawals_by_id on withdrawals (withdrawal_id);
create index withdrawals_by_tx on withdrawals (tx_hash) where tx_hash is not null;
create index withdrawals_by_address on withdrawals (to_address);

-- Members all of whose withdrawals need a review by an admin.
create table risk_flags (
  member_id bigint primary key,
  reason text not null,
  flagged_by text not null,
  flagged_at timestamptz not null
);

-- Money that left the bank by a claim for which no withdrawal was open. The vouchers make that impossible, so a row here
-- means a stolen claim key or a restored database: the audit fails until the operator has resolved it.
create table unmatched_claims (
  member_id bigint not null,
  tx_hash text not null,
  log_index integer not null,
  chain_withdrawal_id numeric(78) not null,
  token text not null,
  to_address text not null,
  amount numeric(78) not null,
  reason text not null check (reason in ('unknown_withdrawal', 'not_withdrawable', 'wrong_terms')),
  claimed_at timestamptz not null,
  primary key (member_id, tx_hash, log_index)
);
create index unmatched_claims_by_tx on unmatched_claims (tx_hash);
create trigger append_only before update or delete or truncate on unmatched_claims
  for each statement execute function refuse_change();
