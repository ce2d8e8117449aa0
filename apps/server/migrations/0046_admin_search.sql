-- What an admin finds a member by: the number of an order, a fund order or a withdrawal, and the hash of a transaction.
-- Whoever asks knows no member, so these look at all of them.
create index orders_by_id on orders (order_id);
create index fund_orders_by_id on fund_orders (order_id);
create index withdrawals_by_id on withdrawals (withdrawal_id);
create index orders_by_tx on orders (tx_hash) where tx_hash is not null;
create index orders_by_unmatched_tx on orders (unmatched_tx_hash) where unmatched_tx_hash is not null;
create index fund_orders_by_tx on fund_orders (tx_hash) where tx_hash is not null;
create index fund_orders_by_unmatched_tx on fund_orders (unmatched_tx_hash) where unmatched_tx_hash is not null;
create index withdrawals_by_tx on withdrawals (tx_hash) where tx_hash is not null;
create index withdrawals_by_address on withdrawals (to_address);
create index unmatched_payments_by_tx on unmatched_payments (tx_hash);
create index unmatched_claims_by_tx on unmatched_claims (tx_hash);
create index sent_transactions_by_tx on sent_transactions (tx_hash);
create index wallet_sends_by_tx on wallet_sends (tx_hash);

-- What waits for somebody, oldest first.
create index attestations_waiting on attestations (prepared_at) where approved_at is null;
create index unmatched_payments_by_time on unmatched_payments (collected_at);

-- What admins write down about a member, for each other. Nothing is ever changed or taken back.
create table member_notes (
  member_id bigint not null,
  note_id bigint generated always as identity,
  text text not null check (char_length(text) between 1 and 2000),
  written_by text not null check (written_by <> ''),
  written_at timestamptz not null,
  primary key (member_id, note_id)
);
create trigger append_only before update or delete or truncate on member_notes
  for each statement execute function refuse_change();
