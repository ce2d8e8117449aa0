-- Whom the operator may not serve (decision 43): countries and wallets, each with a reason, as two persons approved them.
-- Coordinator tables, as members are. What was removed stays in the proposals and in the admin log.

create table refused_countries (
  country text primary key check (country ~ '^[A-Z]{2}$'),
  -- may_leave: members take out what is theirs; no_service: nothing at all.
  level text not null check (level in ('may_leave', 'no_service')),
  reason text not null check (length(reason) between 1 and 300),
  approved_by text not null,
  changed_at timestamptz not null
);

create table refused_addresses (
  address text primary key check (address ~ '^0x[0-9a-f]{40}$'),
  level text not null check (level in ('may_leave', 'no_service')),
  reason text not null check (length(reason) between 1 and 300),
  approved_by text not null,
  changed_at timestamptz not null
);
