-- Operators list withdrawals and transfers of all members by state, in the order of their requests.
create index withdrawals_by_status on withdrawals (status, created_at, withdrawal_id);
create index transfers_by_status on transfers (status, created_at, transfer_id) where direction = 'out';
