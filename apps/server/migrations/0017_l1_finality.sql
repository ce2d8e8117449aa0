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
