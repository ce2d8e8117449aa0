-- What the watcher knows of the bank contract: every change of its roles, queue and caps, the alarms that are on, and what
-- may still leave today.

-- One row per final event of the bank contract that changes a role, the queue, a cap or the pause of orders.
create table bank_changes (
  tx_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  changed_at timestamptz not null,
  kind text not null check (kind in
    ('role_granted', 'role_revoked', 'signer_queued', 'signer_cancelled', 'removal_queued', 'removal_cancelled',
     'raise_queued', 'raise_cancelled', 'cap_changed', 'orders_paused', 'orders_resumed', 'admin_transfer',
     'admin_transfer_cancelled', 'admin_delay')),
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
  primary key (tx_hash, log_index)
);
create index bank_changes_newest on bank_changes (block_number desc, log_index desc);

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
