-- The nodes of the chain as the leading indexer judges them, and the limits of what members can make them do.

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

-- The events of a transaction, so that the state of a member's payment or claim is known without a call to a node.
create index chain_events_by_tx on chain_events (chain_id, tx_hash);

-- The calls to nodes that a member has caused in one minute, for the limit across all processes.
create table chain_member_reads (
  member_id bigint not null primary key,
  minute timestamptz not null,
  calls integer not null check (calls > 0)
);

-- What the last look at the chain found out about a transaction, and when the next one is due.
alter table sent_transactions
  add column found text not null default 'pending'
    check (found in ('pending', 'confirming', 'failed', 'replaced')),
  add column found_block bigint,
  add column look_at timestamptz not null default 'epoch',
  add check ((found_block is not null) = (found in ('confirming', 'failed')));
