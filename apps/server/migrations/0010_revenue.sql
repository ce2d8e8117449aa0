-- Attested revenue (rules, section 2): money that the operator earned elsewhere and deposited on chain.

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
create trigger append_only before update or delete or truncate on revenue_deposits
  for each statement execute function refuse_change();

-- The assignment of a deposit to a pool, prepared by one admin and approved by another. The proceeds of a fund are
-- attested in the same way, for one product.
create table attestations (
  attestation_id bigint generated always as identity primary key,
  pool text not null check (pool in ('yield_pool', 'savings_pool', 'dividend_pool', 'fund_proceeds')),
  product_id bigint references fund_products,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  source text not null check (source <> ''),
  document_hash text not null check (document_hash ~ '^0x[0-9a-f]{64}$'),
  -- The deposit on chain; each serves one attestation.
  deposit_id text not null unique,
  prepared_by text not null,
  prepared_at timestamptz not null,
  approved_by text check (approved_by <> prepared_by),
  approved_at timestamptz,
  check ((approved_by is null) = (approved_at is null)),
  check ((pool = 'fund_proceeds') = (product_id is not null)),
  check (pool <> 'fund_proceeds' or asset = 'USDT')
);
create index attestations_waiting on attestations (prepared_at) where approved_at is null;
