-- Solvency reports (rules, section 13; docs/solvency.md).

-- What a day's root commits to, in micro-units, written once. `root` is what the bank contract stores.
create table solvency_days (
  day date primary key,
  chain_id bigint not null check (chain_id > 0),
  bank text not null check (bank ~ '^0x[0-9a-f]{40}$'),
  format smallint not null check (format = 1),
  -- Identifies the key that the salts were derived from.
  salt_key_id text not null,
  leaves integer not null check (leaves >= 0),
  tree bytea not null check (octet_length(tree) = 32),
  members_usdt bigint not null check (members_usdt >= 0),
  members_amc bigint not null check (members_amc >= 0),
  members_fund bigint not null check (members_fund >= 0),
  other_usdt bigint not null check (other_usdt >= 0),
  other_amc bigint not null check (other_amc >= 0),
  fund_cash bigint not null check (fund_cash >= 0),
  fund_invested bigint not null check (fund_invested >= 0),
  ledger_head bytea not null check (octet_length(ledger_head) = 32),
  operators_head bytea not null check (octet_length(operators_head) = 32),
  root bytea not null check (octet_length(root) = 32),
  -- What the banks held at the end of the day by the books; not in the root, because the chain itself shows it.
  held_usdt bigint not null,
  held_amc bigint not null,
  built_at timestamptz not null
);

-- The leaves in the order of the tree, in groups of 1,024: hash and amounts, 56 bytes each. Removed after some weeks.
create table solvency_groups (
  day date not null references solvency_days,
  group_no integer not null check (group_no >= 0),
  first_hash bytea not null,
  -- Stored as they are (below): hashes do not compress.
  leaves bytea not null,
  primary key (day, group_no)
);
-- PostgreSQL 15, on which Citus runs, has no such clause of a column.
alter table solvency_groups alter column leaves set storage external;
create index solvency_groups_hash on solvency_groups (day, first_hash);

-- The nodes above the groups, one after the other; removed with the groups.
create table solvency_tops (
  day date primary key references solvency_days,
  tops bytea not null
);
alter table solvency_tops alter column tops set storage external;

-- The amounts of members by number, in blocks of 1,024: number and amounts, 32 bytes each. Removed with the groups.
create table solvency_members (
  day date not null references solvency_days,
  block bigint not null,
  entries bytea not null,
  primary key (day, block)
);

-- The transactions that were sent to publish a day; the latest one of a day replaces the earlier ones.
create table solvency_sends (
  send_id bigint generated always as identity primary key,
  day date not null references solvency_days,
  tx_hash text not null unique check (tx_hash ~ '^0x[0-9a-f]{64}$'),
  nonce bigint not null check (nonce >= 0),
  max_fee_wei numeric(40) not null check (max_fee_wei > 0),
  sent_at timestamptz not null
);
create index solvency_sends_day on solvency_sends (day, send_id);

-- The publications that the bank contracts emitted, as the chain has them now.
create table solvency_publications (
  bank text not null,
  day date not null,
  root bytea not null,
  ledger_head bytea not null,
  operators_head bytea not null,
  usdt_liabilities numeric(60) not null,
  amc_liabilities numeric(60) not null,
  fund_cash numeric(60) not null,
  tx_hash text not null,
  block_number bigint not null,
  published_at timestamptz not null,
  is_final boolean not null,
  primary key (bank, day)
);
