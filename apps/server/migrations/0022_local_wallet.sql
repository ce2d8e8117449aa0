-- Sends from a member's own wallet, as the member told them and as the chain says they are. Nothing of it is in the
-- ledger: the money never was the operator's.

create table wallet_sends (
  member_id bigint not null,
  send_id bigint generated always as identity,
  -- What the wallet answered first; a replacement (sped up) has another hash, under tx_hash.
  first_hash text not null check (first_hash ~ '^0x[0-9a-f]{64}$'),
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  nonce bigint not null check (nonce >= 0),
  -- As told until the chain has shown the transaction, then as it is there.
  asset text not null check (asset in ('ETH', 'USDT', 'AMC')),
  to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
  -- In base units of the token.
  amount_units numeric(78) not null check (amount_units > 0),
  -- By the transfer contract, with a reference.
  by_contract boolean not null,
  -- Sent: not in a block that is known. Confirming: in a block that is not final. The others are final.
  status text not null check (status in ('Sent', 'Confirming', 'Success', 'Failed', 'Replaced', 'Lost')),
  verified boolean not null default false,
  block_number bigint,
  block_at timestamptz,
  told_at timestamptz not null,
  -- When the chain is asked about it next: the older it is, the more seldom.
  look_at timestamptz not null,
  primary key (member_id, send_id),
  unique (member_id, first_hash),
  check ((block_number is null) = (status in ('Sent', 'Replaced', 'Lost'))),
  check ((block_number is null) = (block_at is null)),
  check (verified or status in ('Sent', 'Replaced', 'Lost'))
);
create index wallet_sends_open on wallet_sends (look_at) where status in ('Sent', 'Confirming');

-- The payments, claims and transfers of one wallet among the events, newest first.
create index chain_events_payer on chain_events (chain_id, (args ->> 'payer'), block_number, log_index)
  where name = 'OrderPaid';
create index chain_events_to on chain_events (chain_id, (args ->> 'to'), block_number, log_index)
  where name in ('Claimed', 'Transferred');
create index chain_events_from on chain_events (chain_id, (args ->> 'from'), block_number, log_index)
  where name = 'Transferred';
