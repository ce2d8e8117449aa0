-- Transactions that members' wallets have sent, so that every device of theirs can follow them. They are shown and
-- nothing else: orders and withdrawals are matched by the contract's events.
create table sent_transactions (
  member_id bigint not null,
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  kind text not null,
  -- The order or the withdrawal that it is for, as the member said.
  subject_id bigint,
  -- The wallet's nonce: once it is used and this transaction is unknown, another one took its place.
  nonce bigint not null check (nonce >= 0),
  sent_at timestamptz not null,
  -- What became of it, once that is final.
  outcome text check (outcome in ('done', 'failed')),
  primary key (member_id, tx_hash)
);
create index sent_transactions_newest on sent_transactions (member_id, sent_at desc);
