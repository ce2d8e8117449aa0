-- What a database needs that is spread over machines (docs/scale.md); on one machine both tables stay empty.

-- Postings that are not yet added to ledger_flow_days, beside their members. On one machine they are added up by transaction in
-- ledger_flow_deltas; on many, a row there would make every posting write on the coordinator too.
create table ledger_member_flows (
  member_id bigint not null,
  seq bigint not null,
  line integer not null,
  accounting_day date not null,
  kind text collate "C" not null,
  asset text collate "C" not null,
  source text collate "C" not null,
  destination text collate "C" not null,
  amount bigint not null,
  is_folding boolean not null default false,
  primary key (member_id, seq, line)
);
create or replace view ledger_flow_sums as
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_days
  union all
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_deltas
  union all
  select accounting_day, kind, asset, source, destination, amount::numeric(40), 1::bigint from ledger_member_flows;

-- A change of this table, which has no rows, makes Citus commit a transaction in two phases (commit_together).
create table commit_marks (
  n integer primary key check (n < 0)
);

-- Is called at the end of each transaction of a database that is spread over machines, which has another form of it.
create function commit_together() returns void language plpgsql set search_path = public, pg_temp as $$
begin
end $$;
