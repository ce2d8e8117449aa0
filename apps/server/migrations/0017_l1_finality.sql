-- Finality on L1. A payment is booked after a number of confirmations, which on an L2 is the promise of its sequencer. A
-- claim is signed only when L1 has finalised every event that was booked when the withdrawal was requested.

-- The node's `finalized` block at the last poll; null until the first one. It never goes back.
alter table chain_cursors
  add column l1_final_number bigint,
  add column l1_final_block_at timestamptz,
  add check ((l1_final_number is null) = (l1_final_block_at is null));

-- The time at which L1 finality of a booked event was observed; null when it was not observed as it happened.
alter table chain_events add column l1_final_at timestamptz;
create index chain_events_final on chain_events (chain_id, block_number) where state = 'final';

-- The block of the last event booked when the withdrawal was requested; block 0 when there was none.
alter table withdrawals
  add column booked_block bigint not null default 0,
  add column booked_block_at timestamptz not null default 'epoch';
update withdrawals set booked_block = booked.block_number, booked_block_at = booked.block_at
from (select block_number, block_at from chain_events where told = 'final' order by block_number desc limit 1) as booked
where status in ('Auditing', 'Withdrawable');
alter table withdrawals alter column booked_block drop default, alter column booked_block_at drop default;

-- The first failure of an event's handler, and its last error. Such an event stops all later ones.
alter table chain_events
  add column failed_at timestamptz,
  add column failure text,
  add check ((failed_at is null) = (failure is null));
create index chain_events_failed on chain_events (chain_id, block_number, log_index) where failed_at is not null;

-- Final events that no handler could apply and that two admins have set aside: their money was booked otherwise, a payment
-- or deposit in `suspense`.
create table chain_set_aside (
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  tx_hash text not null,
  name text not null,
  failure text not null,
  reason text not null,
  prepared_by text not null,
  approved_by text not null,
  set_aside_at timestamptz not null,
  primary key (chain_id, block_hash, log_index)
);
create index chain_set_aside_by_tx on chain_set_aside (tx_hash);
create trigger append_only before update or delete or truncate on chain_set_aside
  for each statement execute function refuse_change();

alter table unmatched_payments
  drop constraint unmatched_payments_reason_check,
  add constraint unmatched_payments_reason_check
    check (reason in ('unknown_order', 'closed_order', 'wrong_payer', 'wrong_amount', 'set_aside'));
