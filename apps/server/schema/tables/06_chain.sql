-- The indexer's copy of the chain, its nodes, the bank contracts, and the transactions of members' wallets.

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
  -- A cursor that was set back keeps the number that the new branch must reach before booked events that are not in it are
  -- undone; nothing is delivered until then. Null when nothing waits.
  undo_until bigint,
  -- The node's `finalized` block at the last poll; null until the first one. It never goes back. A payment is booked after a number
  -- of confirmations, which on an L2 is the promise of its sequencer. A claim is signed only when L1 has finalised every event that
  -- was booked when the withdrawal was requested.
  l1_final_number bigint,
  l1_final_block_at timestamptz,
  -- The decimals of USDT as a quorum of the nodes gave them, so that a process that starts while no node answers can show amounts.
  -- Null until the first indexer that checked the contracts.
  usdt_decimals smallint check (usdt_decimals in (6, 18)),
  check (applied_number <= finalised_number),
  check (not halted or last_error is not null),
  check ((l1_final_number is null) = (l1_final_block_at is null))
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
  -- A booked event whose block is not in the chain any more. It is undone, or it follows the same event in another block.
  missing boolean not null default false,
  -- The time at which L1 finality of a booked event was observed; null when it was not observed as it happened.
  l1_final_at timestamptz,
  -- The first failure of an event's handler, and its last error. Such an event stops all later ones.
  failed_at timestamptz,
  failure text,
  primary key (chain_id, block_hash, log_index),
  check (told <> 'final' or state = 'final'),
  check ((told = 'nothing') = (told_at is null)),
  check (not missing or (state = 'final' and told = 'final')),
  check ((failed_at is null) = (failure is null))
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
-- The events of a transaction, so that the state of a member's payment or claim is known without a call to a node.
create index chain_events_by_tx on chain_events (chain_id, tx_hash);
create index chain_events_missing on chain_events (chain_id, block_number) where missing;
-- Whether everything that was booked up to a time is final on L1.
create index chain_events_booked on chain_events (chain_id, block_number, told_at) where told = 'final';
create index chain_events_final on chain_events (chain_id, block_number) where state = 'final';
create index chain_events_failed on chain_events (chain_id, block_number, log_index) where failed_at is not null;
-- The hand-over is derived from the events of its bank.
create index chain_events_hand_over on chain_events (chain_id, contract, block_number, log_index)
  where name in ('HandOverQueued', 'HandOverCancelled', 'HandedOver');

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
  -- What the last look at the chain found out about a transaction, and when the next one is due.
  found text not null default 'pending' check (found in ('pending', 'confirming', 'failed', 'replaced')),
  found_block bigint,
  look_at timestamptz not null default 'epoch',
  primary key (member_id, tx_hash),
  check ((found_block is not null) = (found in ('confirming', 'failed')))
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
-- Who sent something to a depositor of revenue.
create index wallet_sends_to on wallet_sends (to_address) where status = 'Success';

-- One row per configured node. The leading indexer writes them; every process reads them.
create table chain_nodes (
  chain_id bigint not null,
  -- A hash of the node's address, which may contain a key and is stored nowhere.
  node_id text not null,
  host text not null,
  -- Its place in RPC_URL, from 0.
  place integer not null,
  state text not null check (state in ('healthy', 'lagging', 'wrong-chain', 'disagrees', 'unreachable')),
  reason text,
  head_number bigint,
  head_at timestamptz,
  -- The time from which it has this state.
  since timestamptz not null,
  checked_at timestamptz not null,
  primary key (chain_id, node_id),
  check ((state = 'healthy') = (reason is null)),
  check ((head_number is null) = (head_at is null))
);

-- The calls to nodes that a member has caused in one minute, for the limit across all processes.
create table chain_member_reads (
  member_id bigint not null primary key,
  minute timestamptz not null,
  calls integer not null check (calls > 0)
);

-- What happened to a booked event whose block left the chain: `undone`, `moved` to another block, or `covered`: its effects
-- stand, and the operator pays for them.
create table chain_undone (
  undone_id bigint generated always as identity primary key,
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  tx_hash text not null,
  name text not null,
  args jsonb not null,
  outcome text not null check (outcome in ('undone', 'covered', 'moved')),
  -- The recovery that two admins approved; null above the last block that L1 has finalised.
  recovery_id bigint,
  undone_at timestamptz not null
);
create index chain_undone_by_tx on chain_undone (tx_hash, log_index);

-- A reorganisation below the last block that L1 has finalised, as `rif recover` found it: the last block that both
-- branches have, the booked events above it, and what undoing them will post. Two admins decide on it.
create table chain_recoveries (
  recovery_id bigint generated always as identity primary key,
  chain_id bigint not null,
  ancestor_number bigint not null,
  ancestor_hash text not null,
  ancestor_block_at timestamptz not null,
  plan jsonb not null,
  found_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  check ((approved_by is null) = (approved_at is null))
);

create table chain_recovery_events (
  recovery_id bigint not null references chain_recoveries,
  block_hash text not null,
  log_index integer not null,
  -- Whether the new branch has the same event, so that it only moves.
  moves boolean not null,
  primary key (recovery_id, block_hash, log_index)
);

-- Final events that no handler could apply and that two admins have set aside: their money was booked otherwise, a payment
-- or deposit in `suspense`.
create table chain_set_aside (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  tx_hash text not null,
  name text not null,
  failure text not null,
  reason text not null,
  prepared_by text not null,
  approved_by text not null,
  set_aside_at timestamptz not null,
  primary key (chain_id, block_hash, log_index)
);
create index chain_set_aside_by_tx on chain_set_aside (tx_hash);

-- One row per final event of the bank contract that changes a role, the queue, a cap or the pause of orders.
create table bank_changes (
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  changed_at timestamptz not null,
  kind text not null check (kind in
    ('role_granted', 'role_revoked', 'signer_queued', 'signer_cancelled', 'removal_queued', 'removal_cancelled', 'raise_queued',
    'raise_cancelled', 'cap_changed', 'orders_paused', 'orders_resumed', 'admin_transfer', 'admin_transfer_cancelled', 'admin_delay',
    'hand_over_queued', 'hand_over_cancelled', 'handed_over')),
  role text,
  account text,
  asset text check (asset in ('USDT', 'AMC')),
  cap_micros bigint check (cap_micros >= 0),
  executable_at timestamptz,
  -- The admin who announced it in the product; null when nobody did.
  proposed_by text,
  -- Part of the transaction that created the contract.
  is_deployment boolean not null,
  noted_at timestamptz not null,
  -- The watcher follows every bank. Announcements and deployments are told apart by bank.
  bank text not null check (bank = lower(bank)),
  primary key (tx_hash, log_index)
);
create index bank_changes_newest on bank_changes (block_number desc, log_index desc);
create index bank_changes_by_bank on bank_changes (bank, block_number, log_index);

-- The alarms that are on. A row is deleted when its cause has gone.
create table bank_alarms (
  kind text primary key,
  detail text not null,
  since timestamptz not null
);

-- The daily cap of each token and what may still leave today, as last read from the chain.
create table bank_caps (
  asset text primary key check (asset in ('USDT', 'AMC')),
  cap_micros bigint not null check (cap_micros >= 0),
  remaining_micros bigint not null check (remaining_micros >= 0),
  read_at timestamptz not null
);

-- The bank contracts that were followed, from final events. `number` is the place in the list, the oldest 0.
create table banks (
  address text primary key check (address = lower(address)),
  number integer not null unique check (number >= 0),
  -- The block from which its events are followed.
  from_block bigint not null,
  -- The hand-over as its last final event tells it: queued, with its earliest time, or done, with its block.
  successor text check (successor = lower(successor) and successor <> address),
  executable_at timestamptz,
  handed_over_block bigint,
  handed_over_at timestamptz,
  -- True while the bank that pays claims does not accept the signer's claim key, and when a queued one can be appointed.
  key_away boolean not null default false,
  next_key_at timestamptz,
  check ((handed_over_block is null) = (handed_over_at is null)),
  check (num_nonnulls(executable_at, handed_over_at) = num_nonnulls(successor))
);

-- Orders and withdrawals that the bank has paid while the books do not show it, for one alarm for each.
create table chain_missed (
  kind text not null check (kind in ('OrderPaid', 'Claimed')),
  -- The number of the order or withdrawal in the contract.
  onchain_id text not null,
  block_number bigint not null,
  found_at timestamptz not null,
  primary key (kind, onchain_id)
);
