-- The reason for which the signer last refused the voucher of a withdrawal, while it does.
alter table withdrawals add signer_refusal text, add signer_refused_at timestamptz,
  add constraint withdrawals_refusal check (num_nulls(signer_refusal, signer_refused_at) % 2 = 0);
create index withdrawals_refused on withdrawals (signer_refused_at) where signer_refusal is not null and status = 'Withdrawable';

-- True while the bank that pays claims does not accept the signer's claim key, and when a queued one can be appointed.
alter table banks add key_away boolean not null default false, add next_key_at timestamptz;
