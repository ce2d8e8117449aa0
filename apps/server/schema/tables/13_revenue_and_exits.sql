-- Attested revenue (rules, section 2): money that the operator earned elsewhere and deposited on chain. And how money leaves
-- the bank contract by the operators' decision: destinations, exits, and the deposits that bring invested money back.

-- Deposits of revenue, by final events of the bank.
create table revenue_deposits (
  deposit_id text primary key,
  depositor text not null,
  label text not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros >= 0),
  dust numeric(78) not null,
  document_hash text not null,
  tx_hash text not null,
  deposited_at timestamptz not null
);
-- The chain numbers deposits by 256 bits; they are listed newest first.
create index on revenue_deposits ((deposit_id::numeric));

-- The assignment of a deposit to a pool, prepared by one admin and approved by another.
create table attestations (
  attestation_id bigint generated always as identity primary key,
  pool text not null check (pool in ('yield_pool', 'savings_pool', 'dividend_pool')),
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  source text not null check (source <> ''),
  document_hash text not null check (document_hash ~ '^0x[0-9a-f]{64}$'),
  -- The deposit on chain; each serves one attestation.
  deposit_id text not null,
  prepared_by text not null,
  prepared_at timestamptz not null,
  approved_by text check (approved_by <> prepared_by),
  approved_at timestamptz,
  -- An attestation of a deposit that is gone serves no deposit any more, so that another one can be attested.
  undone_at timestamptz,
  check ((approved_by is null) = (approved_at is null)),
  check (undone_at is null or approved_at is not null)
);
create index attestations_waiting on attestations (prepared_at) where approved_at is null;
create unique index attestations_deposit on attestations (deposit_id) where undone_at is null;

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

-- A deposit of revenue serves one purpose only: an approved attestation, or the return of invested money. A row is written
-- with the first of them, and deleted with a deposit that a reorganisation removed, unless what it served stands.
create table deposit_uses (
  deposit_id text primary key,
  use text not null check (use in ('attestation', 'divest'))
);

-- A destination that two admins approved: whose wallet it is. The contract's own list is in its events.
create table exit_destinations (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  name text not null check (name <> ''),
  purpose text not null check (purpose <> ''),
  prepared_by text not null,
  approved_by text not null check (approved_by <> prepared_by),
  approved_at timestamptz not null
);

-- An exit that two admins approved. Its amount is set aside from the approval until it is executed or released.
create table exits (
  exit_id bigint generated always as identity primary key,
  bank text not null check (bank ~ '^0x[0-9a-f]{40}$'),
  -- The id in the contract, of 256 bits. It is not known before the approval, so nobody can use it up earlier.
  onchain_id text not null unique check (onchain_id ~ '^[1-9][0-9]{0,77}$'),
  kind text not null check (kind in ('treasury_payout', 'fund_invest')),
  -- The account that a treasury payout takes from.
  source text check (source in ('revenue', 'fees')),
  -- The fund investment that it carries out, which keeps its amount set aside.
  product_id bigint references fund_products,
  investment_id bigint unique references fund_investments,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  destination text not null references exit_destinations,
  purpose text not null check (purpose <> ''),
  document_hash text not null check (document_hash ~ '^0x[0-9a-f]{64}$'),
  prepared_by text not null,
  approved_by text not null check (approved_by <> prepared_by),
  approved_at timestamptz not null,
  -- `Withdrawn`: given up before it was announced. `Lapsed`: not executed within the window. `HandedOver`: its bank was
  -- closed.
  state text not null default 'Approved'
    check (state in ('Approved', 'Announced', 'Executed', 'Cancelled', 'Lapsed', 'HandedOver', 'Withdrawn')),
  -- The next event, which is on the chain and not final yet.
  seen_step text check (seen_step in ('announced', 'executed', 'cancelled')),
  seen_tx text,
  announced_tx text,
  announced_at timestamptz,
  executable_at timestamptz,
  expires_at timestamptz check (expires_at > executable_at),
  -- The transaction that executed or cancelled it.
  ended_tx text,
  ended_at timestamptz,
  -- When the amount was given back, after the end can no longer be undone.
  released_at timestamptz,
  check ((kind = 'treasury_payout') = (source is not null)),
  check (num_nonnulls(product_id, investment_id) = case kind when 'fund_invest' then 2 else 0 end),
  check (kind = 'treasury_payout' or asset = 'USDT'),
  check ((seen_step is null) = (seen_tx is null)),
  check ((announced_tx is null) = (announced_at is null) and (announced_tx is null) = (executable_at is null)
    and (announced_tx is null) = (expires_at is null)),
  check (state not in ('Announced', 'Executed', 'Cancelled', 'Lapsed') or announced_tx is not null),
  check (state not in ('Approved', 'Withdrawn') or announced_tx is null),
  check ((state in ('Executed', 'Cancelled')) = (ended_tx is not null)),
  check ((state in ('Approved', 'Announced')) = (ended_at is null)),
  check (released_at is null or state in ('Cancelled', 'Lapsed', 'HandedOver', 'Withdrawn')),
  check (released_at is not null or state not in ('Lapsed', 'HandedOver', 'Withdrawn'))
);
-- The exits whose amounts are set aside.
create index exits_open on exits (exit_id) where released_at is null and state <> 'Executed';

-- An exit in the contract for which the books have set nothing aside. A guardian cancels it. If it is executed all the same,
-- the operator answers for its amount (`shortfall`).
create table unapproved_exits (
  bank text not null,
  onchain_id text not null,
  kind smallint not null,
  chain_product_id text not null,
  token text not null,
  destination text not null,
  -- In base units of the token.
  amount text not null,
  -- `unknown`: nobody approved it. `wrong_terms`: an approved one has its id and other terms. `ended`: it was approved, and
  -- its amount was released before.
  reason text not null check (reason in ('unknown', 'wrong_terms', 'ended')),
  state text not null check (state in ('Announced', 'Executed', 'Cancelled', 'Undone')),
  executable_at timestamptz,
  announced_tx text,
  ended_tx text,
  noted_at timestamptz not null,
  primary key (bank, onchain_id)
);
