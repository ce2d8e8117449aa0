-- The list of bank contracts (rules, section 2): one takes orders, the others still pay what was begun on them, until each
-- has handed its holdings over to its successor.

-- The bank contracts that were followed, from final events. `number` is the place in the list, the oldest 0.
create table banks (
  address text primary key check (address = lower(address)),
  number integer not null unique check (number >= 0),
  -- The block from which its events are followed.
  from_block bigint not null,
  -- The hand-over as its last final event tells it: queued, with its earliest time, or done, with its block.
  successor text check (successor = lower(successor) and successor <> address),
  executable_at timestamptz,
  handed_over_block bigint,
  handed_over_at timestamptz,
  check ((handed_over_block is null) = (handed_over_at is null)),
  check (num_nonnulls(executable_at, handed_over_at) = num_nonnulls(successor))
);
-- The hand-over is derived from the events of its bank.
create index chain_events_hand_over on chain_events (chain_id, contract, block_number, log_index)
  where name in ('HandOverQueued', 'HandOverCancelled', 'HandedOver');

-- The bank that an order was quoted for and a voucher was signed for, in lower case.
alter table orders add column bank text check (bank = lower(bank));
alter table fund_orders add column bank text check (bank = lower(bank));
-- Null until the first voucher.
alter table withdrawals add column bank text check (bank = lower(bank));
update orders set bank = coalesce((select split_part(contracts, ' ', 1) from chain_cursors), '0x');
update fund_orders set bank = coalesce((select split_part(contracts, ' ', 1) from chain_cursors), '0x')
where payment_method = 'wallet';
update withdrawals set bank = coalesce((select split_part(contracts, ' ', 1) from chain_cursors), '0x')
where claim_expires_at is not null;
alter table orders alter column bank set not null;
alter table fund_orders add check ((payment_method = 'wallet') = (bank is not null));
alter table withdrawals add check (claim_expires_at is null or bank is not null);

-- The watcher follows every bank. Announcements and deployments are told apart by bank.
alter table bank_changes add column bank text check (bank = lower(bank));
update bank_changes set bank = coalesce((select split_part(contracts, ' ', 1) from chain_cursors), '0x');
alter table bank_changes
  alter column bank set not null,
  drop constraint bank_changes_kind_check,
  add constraint bank_changes_kind_check check (kind in
    ('role_granted', 'role_revoked', 'signer_queued', 'signer_cancelled', 'removal_queued', 'removal_cancelled',
     'raise_queued', 'raise_cancelled', 'cap_changed', 'orders_paused', 'orders_resumed', 'admin_transfer',
     'admin_transfer_cancelled', 'admin_delay', 'hand_over_queued', 'hand_over_cancelled', 'handed_over'));
create index bank_changes_by_bank on bank_changes (bank, block_number, log_index);
