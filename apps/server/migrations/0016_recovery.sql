-- Undoing what was booked for events that a reorganisation took away (docs/decisions/0022-recovery.md).

-- A cursor that was set back keeps the number that the new branch must reach before booked events that are not in it are
-- undone; nothing is delivered until then. Null when nothing waits.
alter table chain_cursors add column undo_until bigint;

-- A booked event whose block is not in the chain any more. It is undone, or it follows the same event in another block.
alter table chain_events add column missing boolean not null default false,
  add check (not missing or (state = 'final' and told = 'final'));
create index chain_events_missing on chain_events (chain_id, block_number) where missing;
-- Whether everything that was booked up to a time is final on L1.
create index chain_events_booked on chain_events (chain_id, block_number, told_at) where told = 'final';

-- What happened to a booked event whose block left the chain: `undone`, `moved` to another block, or `covered`: its effects
-- stand, and the operator pays for them.
create table chain_undone (
  undone_id bigint generated always as identity primary key,
  chain_id bigint not null,
  block_hash text not null,
  log_index integer not null,
  block_number bigint not null,
  tx_hash text not null,
  name text not null,
  args jsonb not null,
  outcome text not null check (outcome in ('undone', 'covered', 'moved')),
  -- The recovery that two admins approved; null above the last block that L1 has finalised.
  recovery_id bigint,
  undone_at timestamptz not null
);
create index chain_undone_by_tx on chain_undone (tx_hash, log_index);
create trigger append_only before update or delete or truncate on chain_undone
  for each statement execute function refuse_change();

-- A reorganisation below the last block that L1 has finalised, as `rif recover` found it: the last block that both
-- branches have, the booked events above it, and what undoing them will post. Two admins decide on it.
create table chain_recoveries (
  recovery_id bigint generated always as identity primary key,
  chain_id bigint not null,
  ancestor_number bigint not null,
  ancestor_hash text not null,
  ancestor_block_at timestamptz not null,
  plan jsonb not null,
  found_at timestamptz not null,
  approved_by text,
  approved_at timestamptz,
  check ((approved_by is null) = (approved_at is null))
);
create table chain_recovery_events (
  recovery_id bigint not null references chain_recoveries,
  block_hash text not null,
  log_index integer not null,
  -- Whether the new branch has the same event, so that it only moves.
  moves boolean not null,
  primary key (recovery_id, block_hash, log_index)
);
create trigger append_only before update or delete or truncate on chain_recovery_events
  for each statement execute function refuse_change();

-- What a member owes back: credits that were undone after the member had spent them. It is taken from the member's next
-- credits, and the member can spend nothing until then.
create table member_debts (
  member_id bigint not null,
  asset text not null check (asset in ('USDT', 'AMC', 'RIF')),
  owed_micros bigint not null check (owed_micros >= 0),
  -- The number of repayments, for their keys.
  repayments integer not null default 0,
  changed_at timestamptz not null,
  primary key (member_id, asset)
);
create index member_debts_open on member_debts (member_id) where owed_micros > 0;

-- Reward records whose order's payment was undone, out of `rewards`.
create table reward_undone (
  like rewards,
  undone_at timestamptz not null,
  -- The last settled day at that moment: the parts of locked AMC up to it were released.
  released_to date,
  primary key (member_id, reward_id)
);
create trigger append_only before update or delete or truncate on reward_undone
  for each statement execute function refuse_change();

-- A row that records an event or a reward is deleted only when that event or reward was undone, in the same transaction.
create function refuse_delete_of_standing() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'rewards' then
    perform from reward_undone where member_id = old.member_id and batch = old.batch;
  elsif tg_table_name = 'reward_batches' then
    perform from reward_undone where batch = old.batch;
  else
    perform from chain_events where tx_hash = old.tx_hash and state = 'dropped';
  end if;
  if not found then
    raise exception 'DELETE of % is refused: what it records was not undone', tg_table_name;
  end if;
  return old;
end $$;

do $$
declare
  v_table text;
begin
  foreach v_table in array array['rewards', 'reward_batches', 'revenue_deposits', 'unmatched_payments', 'unmatched_claims']
  loop
    execute format('drop trigger append_only on %I', v_table);
    execute format('create trigger append_only before update or truncate on %I
      for each statement execute function refuse_change()', v_table);
    execute format('create trigger keep_standing before delete on %I
      for each row execute function refuse_delete_of_standing()', v_table);
  end loop;
end $$;

-- An attestation of a deposit that is gone serves no deposit any more, so that another one can be attested.
alter table attestations add column undone_at timestamptz,
  drop constraint attestations_deposit_id_key,
  add check (undone_at is null or approved_at is not null);
create unique index attestations_deposit on attestations (deposit_id) where undone_at is null;

-- The postings that stand: of transactions that are no reversals and were not reversed.
create view ledger_standing as
  select p.member_id, p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, p.accounting_day,
    t.idempotency_key, t.cause_type, t.cause_id
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where t.reverses_seq is null and not exists (
    select from ledger_transactions as r where r.member_id = t.member_id and r.reverses_seq = t.seq);

-- Returns the accounting day of a reversal: that of the original, or today when it is settled. Raises RL005 while the
-- settlement of the day is under way: it goes by what was booked when it began.
create function reversal_day(p_original date, p_today date) returns date
language plpgsql stable as $$
begin
  if exists (select from settlement_days where day >= p_original and state <> 'settled') then
    raise exception 'DAY_IN_SETTLEMENT' using errcode = 'RL005', detail = format('of %s', p_original);
  end if;
  return case when exists (select from settlement_days where day >= p_original) then p_today else p_original end;
end $$;

-- Returns the last day that is settled; null before the first.
create function last_settled_day() returns date
language sql stable
return (select max(day) from settlement_days where state = 'settled');

-- The account `shortfall` is what the operator still has to make good: negative, or zero. It advances what is missing
-- where a reversal takes money back, gets it back from the debtors, and is covered from revenue and fees.
create or replace function ledger_account_class(account text) returns text
language plpgsql immutable parallel safe as $$
begin
  return case
    when account in ('available', 'locked', 'withdrawing', 'savings', 'savings_leaving', 'fund_income') then 'member'
    when account = any (public.ledger_pool_accounts()) then 'pool'
    when account in ('revenue', 'fees') then 'operator'
    when account in ('clearing', 'external', 'shortfall') then account
    when account ~ '^fund_custody:[1-9][0-9]{0,17}:(principal|proceeds)$' then 'pool'
  end;
end $$;

create or replace function ledger_flow_list() returns text[]
language sql immutable parallel safe
return array[
  'order_payment external>commission_pool',
  'order_payment external>revenue',
  'order_discount_hold available>locked',
  'order_discount_release locked>available',
  'order_discount_spend locked>revenue',
  'unmatched_payment external>suspense',
  'suspense_release suspense>available',
  'suspense_release suspense>clearing',
  'suspense_release clearing>available',
  'commission commission_pool>available',
  'commission commission_pool>locked',
  'pairing commission_pool>available',
  'pairing commission_pool>locked',
  'management commission_pool>available',
  'management commission_pool>locked',
  'static yield_pool>available',
  'static yield_pool>locked',
  'release locked>available',
  'withdrawal_request available>withdrawing',
  'withdrawal_return withdrawing>available',
  'withdrawal_paid withdrawing>external',
  'withdrawal_paid withdrawing>fees',
  'attested_revenue external>yield_pool',
  'attested_revenue external>savings_pool',
  'attested_revenue external>dividend_pool',
  'attested_proceeds external>fund_custody:proceeds',
  'grant external>available',
  'transfer available>clearing',
  'transfer clearing>available',
  'savings_in available>savings',
  'savings_out savings>savings_leaving',
  'savings_arrival savings_leaving>available',
  'savings_interest savings_pool>savings',
  'hash_power_purchase available>revenue',
  'hash_power_purchase external>available',
  'exchange available>revenue',
  'exchange external>available',
  'dividend dividend_pool>available',
  'vc_subscription available>locked',
  'vc_allocation locked>revenue',
  'vc_allocation locked>available',
  'fund_purchase available>fund_custody:principal',
  'fund_purchase available>fees',
  'fund_purchase external>fund_custody:principal',
  'fund_purchase external>fees',
  'fund_redemption fund_custody:principal>available',
  'fund_redemption fund_custody:principal>fees',
  'fund_redemption fund_custody:principal>fund_custody:proceeds',
  'fund_redemption fund_custody:proceeds>available',
  'fund_redemption fund_custody:proceeds>fees',
  'fund_income fees>fund_income',
  'fund_income_transfer fund_income>available',
  'reversal_advance shortfall>available',
  'reversal_advance shortfall>locked',
  'reversal_advance shortfall>commission_pool',
  'payment_made_good shortfall>external',
  'debt_repayment available>shortfall',
  'shortfall_cover revenue>shortfall',
  'shortfall_cover fees>shortfall',
  'shortfall_cover shortfall>revenue',
  'shortfall_cover shortfall>fees'
];

-- Checks, at the end of the database transaction, what only an undoing posts. An advance is at most what the reversal of its
-- key takes from the same account, and that reversal undoes what an event of the chain caused. Revenue and fees get back
-- from `shortfall` no more than brings it, or them, to zero.
create function guard_undoing() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  if new.kind = 'reversal_advance' then
    perform from ledger_postings as a
    where a.member_id = new.member_id and a.seq = new.seq and a.amount > coalesce((
      select sum(r.amount) from ledger_transactions as t join ledger_postings as r using (member_id, seq)
      where t.member_id = new.member_id and t.idempotency_key || '/advance' = new.idempotency_key
        and t.kind in ('order_payment:reversal', 'commission:reversal', 'order_discount_release:reversal')
        and r.asset = a.asset and r.source = a.destination), 0);
  else
    perform from ledger_postings as c
    where c.member_id = new.member_id and c.seq = new.seq and c.source = 'shortfall' and 0 not in (
      select coalesce(sum(case side.account when f.destination then f.amount else -f.amount end), 0)
      from unnest(array['shortfall', c.destination]) as side (account)
      left join ledger_flow_sums as f on f.asset = c.asset and side.account in (f.source, f.destination)
      group by side.account);
  end if;
  if found then
    raise exception 'NOT_AN_UNDOING' using errcode = 'RL007', detail = format('key %s', new.idempotency_key);
  end if;
  return null;
end $$;
create constraint trigger guard_undoing after insert on ledger_transactions deferrable initially deferred
  for each row when (new.kind in ('reversal_advance', 'shortfall_cover')) execute function guard_undoing();

-- Delete what records an event or a batch of rewards that was undone. The application's role may not delete such rows.
create function delete_undone_deposit(p_deposit_id text, p_tx_hash text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from revenue_deposits where deposit_id = p_deposit_id and tx_hash = p_tx_hash;
$$;
create function delete_undone_payment(p_tx_hash text, p_log_index integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from unmatched_payments where tx_hash = p_tx_hash and log_index = p_log_index;
$$;
create function delete_undone_claim(p_tx_hash text, p_log_index integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from unmatched_claims where tx_hash = p_tx_hash and log_index = p_log_index;
$$;
create function delete_undone_rewards(p_batch text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from rewards where batch = p_batch;
  delete from reward_batches where batch = p_batch;
$$;
