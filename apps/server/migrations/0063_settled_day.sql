-- The last settled day, for postings on a machine of a cluster, which has a copy (docs/scale.md, "Transactions at home"). One machine
-- has the sequence `ledger_settled_day` and no row here.
create table ledger_settled (
  n smallint primary key check (n = 0),
  day date not null
);
