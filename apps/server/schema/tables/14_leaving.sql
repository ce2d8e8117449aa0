-- Withdrawals, internal transfers and the address book (rules, sections 7 and 10).

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
  -- The block of the last event booked when the withdrawal was requested; block 0 when there was none.
  booked_block bigint not null,
  booked_block_at timestamptz not null,
  -- Withdrawals and transfers are judged by the sum of 24 hours. `recent_micros`: the USDT worth that left the member within
  -- the 24 hours up to the request, with it.
  recent_micros bigint not null check (recent_micros >= 0),
  -- Null until the first voucher.
  bank text check (bank = lower(bank)),
  -- The statement that the member signed for a withdrawal; one statement serves one withdrawal.
  consent_nonce text,
  -- The reason for which the signer last refused the voucher of a withdrawal, while it does.
  signer_refusal text,
  signer_refused_at timestamptz,
  -- What of a withdrawal is a free refund, as at its request.
  refund_micros bigint not null,
  primary key (member_id, withdrawal_id),
  check (amount_micros > fee_micros),
  check ((status = 'Success') = (completed_at is not null and claimed_at is not null)),
  check ((status = 'Cancelled') = (cancelled_at is not null)),
  check (status not in ('Rejected') or reviewed_at is not null),
  check (status in ('Withdrawable', 'Success', 'Cancelled') or claim_expires_at is null),
  check (claim_expires_at is null or bank is not null),
  foreign key (member_id, consent_nonce) references member_consents (member_id, nonce),
  constraint withdrawals_refusal check (num_nulls(signer_refusal, signer_refused_at) % 2 = 0),
  constraint withdrawals_refund_check check (refund_micros between 0 and amount_micros)
);
create index withdrawals_by_day on withdrawals (member_id, day);
create index withdrawals_to on withdrawals (member_id, to_address) where status = 'Success';
create index withdrawals_auditing on withdrawals (created_at) where status = 'Auditing';
-- An admin searches by number, transaction hash or address without the member.
create index withdrawals_by_id on withdrawals (withdrawal_id);
create index withdrawals_by_tx on withdrawals (tx_hash) where tx_hash is not null;
create index withdrawals_by_time on withdrawals (member_id, created_at);
create unique index withdrawals_by_consent on withdrawals (member_id, consent_nonce);
-- Operators list withdrawals and transfers of all members by state, in the order of their requests.
create index withdrawals_by_status on withdrawals (status, created_at, withdrawal_id);
-- Operators list what ended on a day, the last one first. The expressions are those of the lists' column `ended_at`.
create index withdrawals_by_end on withdrawals (
  (case status when 'Success' then claimed_at when 'Rejected' then reviewed_at else cancelled_at end), withdrawal_id
);
-- The largest of a state first.
create index withdrawals_by_worth on withdrawals (status, worth_micros, withdrawal_id);
create index withdrawals_by_address_prefix on withdrawals (to_address text_pattern_ops);
create index withdrawals_refused on withdrawals (signer_refused_at) where signer_refusal is not null and status = 'Withdrawable';

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

-- A free release to its payer, per asset: the amount that the payer may withdraw to the own address without a fee.
create table refund_allowances (
  member_id bigint not null,
  allowance_id bigint generated always as identity,
  -- The payment that was released.
  tx_hash text not null,
  log_index integer not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  released_at timestamptz not null,
  -- When the chain dropped the payment, until it arrives again: meanwhile nothing more of the allowance can be used.
  lost_at timestamptz,
  primary key (member_id, allowance_id),
  unique (member_id, tx_hash, log_index, asset)
);
create index refund_allowances_by_tx on refund_allowances (tx_hash);

-- The allowances that withdrawals use. A withdrawal that is rejected or cancelled gives them back: its rows are deleted.
create table refund_uses (
  member_id bigint not null,
  withdrawal_id bigint not null,
  allowance_id bigint not null,
  amount_micros bigint not null check (amount_micros > 0),
  primary key (member_id, withdrawal_id, allowance_id),
  foreign key (member_id, withdrawal_id) references withdrawals (member_id, withdrawal_id),
  foreign key (member_id, allowance_id) references refund_allowances (member_id, allowance_id)
);
create index refund_uses_by_allowance on refund_uses (member_id, allowance_id);

-- A transfer as each of its two members sees it: two rows with one id, each in its member's shard. The sender's row has the status and
-- what the transfer was judged by at the time of the request. The receiver's row is written when the transfer arrives.
create table transfers (
  member_id bigint not null,
  transfer_id bigint generated by default as identity,
  direction text not null check (direction in ('in', 'out')),
  counterpart_id bigint not null check (counterpart_id <> member_id),
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  created_at timestamptz not null,
  status text not null check (status in ('Auditing', 'Success', 'Rejected', 'Cancelled')),
  worth_micros bigint not null check (worth_micros >= 0),
  recent_micros bigint not null check (recent_micros >= 0),
  level smallint not null,
  -- Why it was held for review; empty when it was not.
  reasons text[] not null check (reasons <@ array['large_amount', 'new_address', 'risk_flag']),
  reviewed_at timestamptz,
  reviewed_by text,
  review_reason text,
  completed_at timestamptz,
  -- What was signed for does not count towards the next signature.
  consent_nonce text,
  primary key (member_id, transfer_id),
  check (direction = 'out' or status = 'Success'),
  check ((status = 'Success') = (completed_at is not null)),
  check (status <> 'Rejected' or reviewed_at is not null),
  check (status = 'Success' or reasons <> '{}'),
  foreign key (member_id, consent_nonce) references member_consents (member_id, nonce)
);
create index transfers_by_time on transfers (member_id, created_at, transfer_id);
create index transfers_auditing on transfers (created_at) where status = 'Auditing';
create index transfers_by_status on transfers (status, created_at, transfer_id) where direction = 'out';
create index transfers_by_end on transfers (
  (case status when 'Rejected' then reviewed_at else completed_at end), transfer_id
) where direction = 'out';
create index transfers_by_worth on transfers (status, worth_micros, transfer_id) where direction = 'out';
-- Whether a member has sent to another is asked with each transfer; somebody may have got transfers of many.
create index transfers_sent on transfers (counterpart_id, member_id) where direction = 'out';

-- What a member moves, without a signature, into something that cannot be taken back at the same worth (rules, section 10): the
-- policy adds it to the unsigned withdrawals and transfers. A conversion or purchase that is undone stays counted.
create table unsigned_moves (
  member_id bigint not null,
  way text not null check (way in ('conversion', 'fund_purchase', 'savings_in')),
  -- The number of the conversion, the purchase or the transfer.
  move_id bigint not null,
  worth_micros bigint not null check (worth_micros > 0),
  moved_at timestamptz not null,
  primary key (member_id, way, move_id)
);
create index unsigned_moves_by_time on unsigned_moves (member_id, moved_at);

-- Addresses that a member has named or sent to. Private to the member.
create table address_book (
  member_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  label text check (length(label) between 1 and 40),
  last_sent_at timestamptz,
  -- The time at which an address was saved under a name. A name that is changed keeps it.
  saved_at timestamptz,
  primary key (member_id, address),
  check (label is not null or last_sent_at is not null),
  check ((label is null) = (saved_at is null))
);
create index address_book_recent on address_book (member_id, last_sent_at) where last_sent_at is not null;

-- A member's private notes about addresses: of members of the team and of the address book alike.
create table address_notes (
  member_id bigint not null,
  address text not null check (address ~ '^0x[0-9a-f]{40}$'),
  note text not null check (char_length(note) between 1 and 200),
  changed_at timestamptz not null,
  primary key (member_id, address)
);
