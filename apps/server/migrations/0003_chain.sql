-- What the indexer knows of the chain. Plain coordinator tables: an event reaches its member's shard only when
-- the handler of a module applies it.

-- One row per followed chain. Everything up to `finalised_number` is stored and can no longer change; the handlers of
-- the modules have done everything up to `applied_number`. `revision` counts the indexer's writes: each names the one
-- it was computed from, so of two processes that both believe to lead, one fails.
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

-- Every event of the contracts, also those that a reorganisation dropped. `state` is what the chain says,
-- `told` is what the module's handler was told last; where they differ, a handler has work to do.
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

-- What handlers have to be told. Events of a name that no module handles yet stay here, so that a module added later
-- begins with the first of them; the name comes first so that they are in nobody's way.
create index chain_events_untold on chain_events (chain_id, name, block_number, log_index)
  where state <> told and state <> 'dropped';

-- A dropped event that no handler has heard of needs no telling.
create index chain_events_untold_drops on chain_events (chain_id, block_number, log_index)
  where state = 'dropped' and told = 'seen';

create index chain_events_unfinalised on chain_events (chain_id, block_number) where state = 'seen';
