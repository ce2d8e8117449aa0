-- The list of bank contracts (rules, section 2): one takes orders, the others still pay what was begun on them, until each
-- has handed its holdings over to its successor.

-- The bank contracts that were followed, from final events. `number` is the place in the list, the oldest 0.
create table banks (
  address text primary key check (address = lower(address)),
  number integer not null unique check (number >= 0),
  -- The block from which its events are followed.
  from_block bigint not null,
  -- The successor of a queued or executed hand-over.
  successor text check (successor = lower(successor) and successor <> address),
  -- The earliest time of a queued hand-over.
  executable_at timestamptz,
  handed_over_block bigint,
  handed_over_at timestamptz,
  handed_over_tx text,
  usdt_micros bigint check (usdt_micros >= 0),
  amc_micros bigint check (amc_micros >= 0),
  check (num_nonnulls(handed_over_block, handed_over_at, handed_over_tx, usdt_micros, amc_micros) in (0, 5)),
  check (executable_at is null or handed_over_at is null),
  check ((successor is null) = (executable_at is null and handed_over_at is null))
);

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
