-- The indexer's copy of the chain, and the transactions of members' wallets. The chain_* tables are coordinator tables: an
-- event reaches the shard of its member only when the handler of a module applies it.

-- One row per followed chain. Everything up to `finalised_number` is stored and can no longer change; the handlers of
-- the modules have processed everything up to `applied_number`. `revision` counts the indexer's writes: each names the
-- one it was computed from, so of two processes that both believe to be the leader, one fails.
create table chain_cursors (
  chain_id bigint primary key,
  contracts text not null,
  revision bigint not null default 0,
  finalised_number bigint not null,
  finalised_hash text not null,
  finalised_block_at timestamptz not null,
  applied_number bigint not null,
  applied_block_at timestamptz not null,
  head_number bigint not null,
  polled_at timestamptz not null,
  last_error text,
  halted boolean not null default false,
  check (applied_number <= finalised_number),
  check (not halted or last_error is not null)
);

-- The blocks above the finalised one, linked by parent hash. A reorganisation replaces its upper end.
create table chain_blocks (
  chain_id bigint not null references chain_cursors,
  number bigint not null,
  hash text not null,
  parent_hash text not null,
  block_at timestamptz not null,
  primary key (chain_id, number)
);

-- Every event of the contracts, including those that a reorganisation dropped. `state` is the state on chain, `told` is
-- the state last delivered to the module's handler; where they differ, a delivery is due.
create table chain_events (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  block_at timestamptz not null,
  tx_hash text not null,
  contract text not null,
  name text not null,
  args jsonb not null,
  state text not null check (state in ('seen', 'final', 'dropped')),
  told text not null default 'nothing' check (told in ('nothing', 'seen', 'final', 'dropped')),
  told_at timestamptz,
  primary key (chain_id, block_hash, log_index),
  check (told <> 'final' or state = 'final'),
  check ((told = 'nothing') = (told_at is null))
);
-- Undelivered events. Events of a name that no module handles stay here, so that a module added later starts with the
-- first of them; the name comes first so that they do not slow down the others.
create index chain_events_untold on chain_events (chain_id, name, block_number, log_index)
  where state <> told and state <> 'dropped';
-- A dropped event that was never delivered needs no delivery.
create index chain_events_untold_drops on chain_events (chain_id, block_number, log_index)
  where state = 'dropped' and told = 'seen';
create index chain_events_unfinalised on chain_events (chain_id, block_number) where state = 'seen';
-- The payments, claims and transfers of one wallet, newest first.
create index chain_events_payer on chain_events (chain_id, (args ->> 'payer'), block_number, log_index)
  where name = 'OrderPaid';
create index chain_events_to on chain_events (chain_id, (args ->> 'to'), block_number, log_index)
  where name in ('Claimed', 'Transferred');
create index chain_events_from on chain_events (chain_id, (args ->> 'from'), block_number, log_index)
  where name = 'Transferred';

-- Transactions that members' wallets have sent for orders and withdrawals, so that all their devices can follow them. For
-- display only: orders and withdrawals are matched by the contract's events.
create table sent_transactions (
  member_id bigint not null,
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  kind text not null check (kind in
    ('approveUsdt', 'approveAmc', 'approveFund', 'revokeUsdt', 'revokeAmc', 'pay', 'payFund', 'claim', 'send')),
  -- The order or withdrawal, as reported by the member.
  subject_id bigint,
  -- The wallet's nonce: once it is used and this transaction is unknown, another one replaced it.
  nonce bigint not null check (nonce >= 0),
  sent_at timestamptz not null,
  -- Null until the outcome is final.
  outcome text check (outcome in ('done', 'failed')),
  primary key (member_id, tx_hash)
);
create index sent_transactions_newest on sent_transactions (member_id, sent_at desc);
create index sent_transactions_by_tx on sent_transactions (tx_hash);

-- Transfers from a member's own wallet, as the member reported them and as the chain shows them. The ledger has no record
-- of them, because the operator never held the money.
create table wallet_sends (
  member_id bigint not null,
  send_id bigint generated always as identity,
  -- The first hash that the wallet returned. A replacement (sped up) has another one, in tx_hash.
  first_hash text not null check (first_hash ~ '^0x[0-9a-f]{64}$'),
  tx_hash text not null check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  nonce bigint not null check (nonce >= 0),
  -- As reported until the transaction is seen on chain, then as on chain.
  asset text not null check (asset in ('ETH', 'USDT', 'AMC')),
  to_address text not null check (to_address ~ '^0x[0-9a-f]{40}$'),
  -- In base units of the token.
  amount_units numeric(78) not null check (amount_units > 0),
  -- Sent through the transfer contract, with a reference.
  by_contract boolean not null,
  -- Sent: in no known block. Confirming: in a block that is not final. The others are final.
  status text not null check (status in ('Sent', 'Confirming', 'Success', 'Failed', 'Replaced', 'Lost')),
  verified boolean not null default false,
  block_number bigint,
  block_at timestamptz,
  told_at timestamptz not null,
  -- The time of the next query to the chain; the interval grows with the age of the transfer.
  look_at timestamptz not null,
  primary key (member_id, send_id),
  unique (member_id, first_hash),
  check ((block_number is null) = (status in ('Sent', 'Replaced', 'Lost'))),
  check ((block_number is null) = (block_at is null)),
  check (verified or status in ('Sent', 'Replaced', 'Lost'))
);
create index wallet_sends_open on wallet_sends (look_at) where status in ('Sent', 'Confirming');
create index wallet_sends_by_tx on wallet_sends (tx_hash);
