-- Refunds out of suspense are free to withdraw when the payer did not err (rules, section 7).

-- A free release to its payer, per asset: the amount that the payer may withdraw to the own address without a fee.
create table refund_allowances (
  member_id bigint not null,
  allowance_id bigint generated always as identity,
  -- The payment that was released.
  tx_hash text not null,
  log_index integer not null,
  asset text not null check (asset in ('USDT', 'AMC')),
  amount_micros bigint not null check (amount_micros > 0),
  released_at timestamptz not null,
  -- When the chain dropped the payment, until it arrives again: meanwhile nothing more of the allowance can be used.
  lost_at timestamptz,
  primary key (member_id, allowance_id),
  unique (member_id, tx_hash, log_index, asset)
);
create index refund_allowances_by_tx on refund_allowances (tx_hash);

create function guard_refund_allowance() returns trigger language plpgsql as $$
begin
  if to_jsonb(old) - 'lost_at' <> to_jsonb(new) - 'lost_at' then
    raise exception 'refund allowance % of member % does not change', old.allowance_id, old.member_id;
  end if;
  return new;
end $$;
create trigger guarded before update on refund_allowances for each row execute function guard_refund_allowance();

-- What of a withdrawal is a free refund, as at its request.
alter table withdrawals
  add column refund_micros bigint not null default 0,
  add constraint withdrawals_refund_check check (refund_micros between 0 and amount_micros);
alter table withdrawals alter column refund_micros drop default;

-- The allowances that withdrawals use. A withdrawal that is rejected or cancelled gives them back: its rows are deleted.
create table refund_uses (
  member_id bigint not null,
  withdrawal_id bigint not null,
  allowance_id bigint not null,
  amount_micros bigint not null check (amount_micros > 0),
  primary key (member_id, withdrawal_id, allowance_id),
  foreign key (member_id, withdrawal_id) references withdrawals (member_id, withdrawal_id),
  foreign key (member_id, allowance_id) references refund_allowances (member_id, allowance_id)
);
create index refund_uses_by_allowance on refund_uses (member_id, allowance_id);
