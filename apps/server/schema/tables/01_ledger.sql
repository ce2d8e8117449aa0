-- The ledger (rules, section 2). Amounts are micro-units of one asset.
--
-- A posting moves a positive amount of one asset from a source to a destination account, so it is balanced by
-- construction. Both accounts belong to one member: an operator account appears in each member's books as a contra
-- account, and its real balance is the sum over all members. Nearly every transaction therefore touches the rows of one
-- member, no operator row is contended, and every table whose key starts with member_id can be distributed by it.
-- A transfer between members is two balanced halves that meet in the account `clearing`.

-- The type of a head's balances. PostgreSQL reads the check of a table anew with each statement that writes a row, and that of a type
-- once for each session.
create domain member_balances as bigint[] constraint member_balances_not_negative check (0 <= all (value));

-- The last day whose settlement has begun, as a number of days since 2000. It is at least that of every settlement that is committed, and
-- more when one was rolled back, so a later day is open for certain. Without a transaction of its own it is read at once.
create sequence ledger_settled_day as integer minvalue -2147483648;
select setval('ledger_settled_day', -2147483648);

-- A member's head: the number of the last transaction, and the balances in the order of ledger_slots(). Its row lock serialises all
-- writes to the member's books.
create table ledger_heads (
  member_id bigint primary key,
  seq bigint not null,
  balances member_balances not null default '{0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}'
) with (fillfactor = 50);

-- Money that a batch may spend is reserved in the single row of its pool. Coordinator tables, not distributed.
create table ledger_pools (
  account text not null check (ledger_account_class(account) = 'pool'),
  asset text not null,
  balance bigint not null default 0 check (balance >= 0),
  -- Set aside for payments that a settlement has fixed and not yet made.
  reserved bigint not null default 0,
  primary key (account, asset),
  constraint ledger_pools_reserved check (reserved between 0 and balance)
);
insert into ledger_pools (account, asset)
select account, asset from unnest(ledger_pool_accounts()) as account, unnest(array['USDT', 'AMC']) as asset;

-- The change of a pool on each accounting day, so that its balance at the end of a day is a sum.
create table ledger_pool_days (
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null,
  primary key (account, asset, accounting_day),
  foreign key (account, asset) references ledger_pools (account, asset)
);

-- The sums of the postings by accounting day and flow. Every figure of the books follows from them: a balance at the end
-- of a day is what came in up to that day less what went out.
create table ledger_flow_days (
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  -- May exceed any single amount.
  amount numeric(40) not null check (amount > 0),
  postings bigint not null check (postings > 0),
  primary key (accounting_day, kind, asset, source, destination)
);

-- Postings that are not yet added to ledger_flow_days. Rows are only appended, so concurrent postings do not wait for
-- each other, as they would for the one row of a day. It has no index, because it is always read whole.
create table ledger_flow_deltas (
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  amount bigint not null,
  postings bigint not null
);

-- The dividend rights and VC that all members hold together, updated with every posting, so that a member's share costs
-- the same however many holders there are. Spread over 16 slots by member, so that two exchanges seldom wait for each other.
create table ledger_shares (
  asset text collate "C" not null check (asset in ('DIV', 'VC')),
  slot smallint not null check (slot between 0 and 15),
  -- May exceed any single amount.
  held numeric(40) not null check (held >= 0),
  primary key (asset, slot)
);
insert into ledger_shares (asset, slot, held)
select asset, slot, 0 from unnest(array['DIV', 'VC']) as asset, generate_series(0, 15) as slot;

-- Whether the clock of the events is another one than the database's: simulations, tests, and the demonstration while it
-- is written. Only the owner of the database changes the row.
create table ledger_simulation (
  is_simulation boolean not null
);
create unique index ledger_simulation_one_row on ledger_simulation ((true));
insert into ledger_simulation (is_simulation) values (false);

-- The lines that a trigger checks at the end of the database transaction, with what it needs to know of their transaction.
-- They are a copy, in a table that few transactions write to.
create table ledger_guarded (
  member_id bigint not null,
  seq bigint not null,
  line smallint not null,
  kind text not null,
  asset text not null,
  source text not null,
  destination text not null,
  amount bigint not null,
  idempotency_key text collate "C" not null,
  cause_type text not null,
  cause_id text not null,
  primary key (member_id, seq, line)
);

-- The chain of a member's postings: its hash after the last closed day on which the member had postings. Every posting up to
-- folded_seq is in it.
create table ledger_chain_members (
  member_id bigint primary key,
  day date not null,
  folded_seq bigint not null check (folded_seq >= 0),
  hash bytea not null check (octet_length(hash) = 32)
) with (fillfactor = 70);

-- The head of the chain after each settled day.
create table ledger_chain_days (
  day date primary key,
  head bytea not null check (octet_length(head) = 32),
  members bigint not null check (members >= 0),
  postings bigint not null check (postings >= 0)
);

-- Money that came into a pool and is not yet added to its row. Like a flow delta it is only appended, so two payments do not wait
-- for each other. It is added by whoever holds the lock of the pool's row: the worker, or a spender who needs it.
create table ledger_pool_credits (
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null check (amount > 0)
);

-- Parts of what is reserved in a pool, each for one range of a batch. A range pays from its part, so that ranges do not wait for
-- each other, nor orders for them, in the pool's row. Paid money leaves the pool's row when the batch is closed: until then its
-- balance and its reserve are both too high by `paid`, and what is free of the pool is right at all times.
create table ledger_pool_parts (
  batch text collate "C" not null,
  part integer not null,
  account text not null,
  asset text not null,
  accounting_day date not null,
  amount bigint not null check (amount > 0),
  paid bigint not null default 0,
  primary key (batch, part, account, asset),
  foreign key (account, asset) references ledger_pools (account, asset),
  constraint ledger_pool_parts_paid check (paid between 0 and amount)
) with (fillfactor = 50);

-- The whole ledger. A row is a line of a transaction in the books of its member; the member's first line of a transaction has the
-- columns of that transaction, and of the others only `kind` and `accounting_day` are repeated. `line` numbers the lines of the whole
-- transaction, over all its members. content_digest covers the whole transaction too.
create table ledger_entries (
  member_id bigint not null,
  seq bigint not null,
  amount bigint not null,
  accounting_day date not null,
  line smallint not null,
  kind text not null,
  asset text not null,
  source text not null,
  destination text not null,
  posted_at timestamptz,
  content_digest bytea,
  idempotency_key text collate "C",
  cause_type text,
  cause_id text,
  reverses_seq bigint,
  primary key (member_id, seq, line),
  constraint ledger_entries_flow
    check (ledger_entry_allowed(kind, asset, source, destination, amount, reverses_seq, idempotency_key))
);
-- A member's lines after the first have no key.
create unique index ledger_entries_key on ledger_entries (member_id, idempotency_key);
create unique index ledger_entries_reverses on ledger_entries (member_id, reverses_seq) where reverses_seq is not null;
-- A member's history of hash power.
create index ledger_entries_rif on ledger_entries (member_id, seq desc, line desc) where asset = 'RIF';
-- Changes of dividend rights after a given day.
create index ledger_entries_div on ledger_entries (accounting_day) where asset = 'DIV';
-- Transfers of fund income in a month, for the fund's bills.
create index ledger_entries_fund_income_moved on ledger_entries (member_id, accounting_day)
  where kind = 'fund_income_transfer';
-- The journal of a day, for operators' exports: lines are stored in about the order of their days.
create index ledger_entries_days on ledger_entries using brin (accounting_day);
