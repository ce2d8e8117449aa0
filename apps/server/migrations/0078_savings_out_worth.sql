-- The wait out of savings follows the worth of 24 hours (rules, section 9): of a transfer out, its worth in USDT when it was asked
-- for; null without a known price, which counts as above the bound.
alter table savings_transfers
  add column worth_micros bigint check (worth_micros >= 0),
  add check (direction = 'out' or worth_micros is null);
update savings_transfers set worth_micros = amount_micros where direction = 'out' and asset = 'USDT';
create index savings_transfers_out on savings_transfers (member_id, created_at) where direction = 'out';
