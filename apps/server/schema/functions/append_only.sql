-- Guards rows that record a decision or an event: they stay as they were written, or at least stay (`keep_rows`). Truncation has triggers
-- of its own: Citus removes them from the rows of a table on the coordinator, together with what else one of them guards.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: its rows are never changed', tg_op, tg_table_name;
end $$;

create trigger append_only before update or delete on admin_actions for each statement execute function refuse_change();
create trigger no_truncate before truncate on admin_actions for each statement execute function refuse_change();
create trigger append_only before update or delete on admin_seals for each statement execute function refuse_change();
create trigger no_truncate before truncate on admin_seals for each statement execute function refuse_change();
create trigger append_only before delete on attestations for each statement execute function refuse_change();
create trigger no_truncate before truncate on attestations for each statement execute function refuse_change();
create trigger append_only before update or delete on chain_missed for each statement execute function refuse_change();
create trigger no_truncate before truncate on chain_missed for each statement execute function refuse_change();
create trigger append_only before update or delete on chain_recovery_events for each statement execute function refuse_change();
create trigger no_truncate before truncate on chain_recovery_events for each statement execute function refuse_change();
create trigger append_only before update or delete on chain_set_aside for each statement execute function refuse_change();
create trigger no_truncate before truncate on chain_set_aside for each statement execute function refuse_change();
create trigger append_only before update or delete on chain_undone for each statement execute function refuse_change();
create trigger no_truncate before truncate on chain_undone for each statement execute function refuse_change();
create trigger append_only before update or delete on deposit_looks for each statement execute function refuse_change();
create trigger no_truncate before truncate on deposit_looks for each statement execute function refuse_change();
create trigger append_only before update or delete on dividend_days for each statement execute function refuse_change();
create trigger no_truncate before truncate on dividend_days for each statement execute function refuse_change();
create trigger append_only before update or delete on dividends for each statement execute function refuse_change();
create trigger no_truncate before truncate on dividends for each statement execute function refuse_change();
create trigger append_only before update or delete on earnings_days for each statement execute function refuse_change();
create trigger no_truncate before truncate on earnings_days for each statement execute function refuse_change();
create trigger keep_rows before delete on erasures for each statement execute function refuse_change();
create trigger no_truncate before truncate on erasures for each statement execute function refuse_change();
create trigger append_only before update or delete on exit_destinations for each statement execute function refuse_change();
create trigger no_truncate before truncate on exit_destinations for each statement execute function refuse_change();
create trigger keep_rows before delete on exits for each statement execute function refuse_change();
create trigger no_truncate before truncate on exits for each statement execute function refuse_change();
create trigger append_only before update or delete on fund_bills for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_bills for each statement execute function refuse_change();
create trigger append_only before update or delete on fund_documents for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_documents for each statement execute function refuse_change();
create trigger append_only before update or delete on fund_income for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_income for each statement execute function refuse_change();
create trigger keep_rows before delete on fund_investments for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_investments for each statement execute function refuse_change();
create trigger append_only before update or delete on fund_navs for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_navs for each statement execute function refuse_change();
create trigger append_only before update or delete on fund_redemption_lots for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_redemption_lots for each statement execute function refuse_change();
create trigger append_only before update or delete on fund_valuation_lines for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_valuation_lines for each statement execute function refuse_change();
create trigger keep_rows before delete on fund_valuations for each statement execute function refuse_change();
create trigger no_truncate before truncate on fund_valuations for each statement execute function refuse_change();
create trigger append_only before update or delete on management_switches for each statement execute function refuse_change();
create trigger no_truncate before truncate on management_switches for each statement execute function refuse_change();
create trigger keep_rows before delete on member_consents for each statement execute function refuse_change();
create trigger no_truncate before truncate on member_consents for each statement execute function refuse_change();
create trigger append_only before update or delete on member_day_caps for each statement execute function refuse_change();
create trigger no_truncate before truncate on member_day_caps for each statement execute function refuse_change();
create trigger append_only before update on member_notes for each statement execute function refuse_change();
create trigger no_truncate before truncate on member_notes for each statement execute function refuse_change();
create trigger append_only before update or delete on person_wallets for each statement execute function refuse_change();
create trigger no_truncate before truncate on person_wallets for each statement execute function refuse_change();
create trigger append_only before delete on persons for each statement execute function refuse_change();
create trigger no_truncate before truncate on persons for each statement execute function refuse_change();
create trigger append_only before update or delete on plans for each statement execute function refuse_change();
create trigger no_truncate before truncate on plans for each statement execute function refuse_change();
create trigger append_only before update or delete on prices for each statement execute function refuse_change();
create trigger no_truncate before truncate on prices for each statement execute function refuse_change();
create trigger append_only before update or delete on proposal_approvals for each statement execute function refuse_change();
create trigger no_truncate before truncate on proposal_approvals for each statement execute function refuse_change();
create trigger append_only before delete on proposals for each statement execute function refuse_change();
create trigger no_truncate before truncate on proposals for each statement execute function refuse_change();
create trigger append_only before update on revenue_deposits for each statement execute function refuse_change();
create trigger no_truncate before truncate on revenue_deposits for each statement execute function refuse_change();
create trigger append_only before update on reward_batches for each statement execute function refuse_change();
create trigger no_truncate before truncate on reward_batches for each statement execute function refuse_change();
create trigger append_only before update or delete on reward_undone for each statement execute function refuse_change();
create trigger no_truncate before truncate on reward_undone for each statement execute function refuse_change();
create trigger append_only before update on rewards for each statement execute function refuse_change();
create trigger no_truncate before truncate on rewards for each statement execute function refuse_change();
create trigger append_only before update or delete on savings_batches for each statement execute function refuse_change();
create trigger no_truncate before truncate on savings_batches for each statement execute function refuse_change();
create trigger append_only before update or delete on savings_interest for each statement execute function refuse_change();
create trigger no_truncate before truncate on savings_interest for each statement execute function refuse_change();
create trigger append_only before delete on settlement_days for each statement execute function refuse_change();
create trigger no_truncate before truncate on settlement_days for each statement execute function refuse_change();
create trigger append_only before update or delete on settlement_start for each statement execute function refuse_change();
create trigger no_truncate before truncate on settlement_start for each statement execute function refuse_change();
create trigger append_only before update or delete on solvency_days for each statement execute function refuse_change();
create trigger no_truncate before truncate on solvency_days for each statement execute function refuse_change();
create trigger append_only before update or delete on suspense_releases for each statement execute function refuse_change();
create trigger no_truncate before truncate on suspense_releases for each statement execute function refuse_change();
create trigger append_only before update or delete on terms_acceptances for each statement execute function refuse_change();
create trigger no_truncate before truncate on terms_acceptances for each statement execute function refuse_change();
create trigger append_only before update or delete on terms_texts for each statement execute function refuse_change();
create trigger no_truncate before truncate on terms_texts for each statement execute function refuse_change();
create trigger keep_rows before delete on transfers for each statement execute function refuse_change();
create trigger no_truncate before truncate on transfers for each statement execute function refuse_change();
create trigger keep_rows before delete on unapproved_exits for each statement execute function refuse_change();
create trigger no_truncate before truncate on unapproved_exits for each statement execute function refuse_change();
create trigger append_only before update on unmatched_claims for each statement execute function refuse_change();
create trigger no_truncate before truncate on unmatched_claims for each statement execute function refuse_change();
create trigger append_only before update on unmatched_payments for each statement execute function refuse_change();
create trigger no_truncate before truncate on unmatched_payments for each statement execute function refuse_change();
create trigger append_only before update or delete on unsigned_moves for each statement execute function refuse_change();
create trigger no_truncate before truncate on unsigned_moves for each statement execute function refuse_change();
create trigger keep_rows before delete on withdrawals for each statement execute function refuse_change();
create trigger no_truncate before truncate on withdrawals for each statement execute function refuse_change();

-- The ledger is append-only for every role: a reversing transaction corrects a mistake.
create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% of % is refused: the ledger is append-only', tg_op, tg_table_name using errcode = 'RL004';
end $$;

create trigger append_only before update or delete on ledger_chain_days for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_chain_days for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete on ledger_chain_members for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_chain_members for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete on ledger_entries for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_entries for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete on ledger_flow_days for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_flow_days for each statement execute function ledger_refuse_change();
create trigger append_only before update or delete on ledger_guarded for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_guarded for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete on ledger_heads for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_heads for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete on ledger_pool_days for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_pool_days for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete on ledger_pools for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_pools for each statement execute function ledger_refuse_change();
create trigger keep_rows before delete on ledger_shares for each statement execute function ledger_refuse_change();
create trigger no_truncate before truncate on ledger_shares for each statement execute function ledger_refuse_change();

-- A row that records an event or a reward is deleted only when that event or reward was undone, in the same transaction. The table's name
-- is an argument, because the rows of a cluster are in tables with other names.
create function refuse_delete_of_standing() returns trigger language plpgsql as $$
begin
  if tg_argv[0] = 'rewards' then
    perform from reward_undone where member_id = old.member_id and batch = old.batch;
  elsif tg_argv[0] = 'reward_batches' then
    perform from reward_undone where batch = old.batch;
  else
    perform from chain_events where tx_hash = old.tx_hash and state = 'dropped';
  end if;
  if not found then
    raise exception 'DELETE of % is refused: what it records was not undone', tg_argv[0];
  end if;
  return old;
end $$;

create trigger keep_standing before delete on revenue_deposits for each row execute function refuse_delete_of_standing('revenue_deposits');
create trigger keep_standing before delete on reward_batches for each row execute function refuse_delete_of_standing('reward_batches');
create trigger keep_standing before delete on rewards for each row execute function refuse_delete_of_standing('rewards');
create trigger keep_standing before delete on unmatched_claims for each row execute function refuse_delete_of_standing('unmatched_claims');
create trigger keep_standing before delete on unmatched_payments for each row execute function refuse_delete_of_standing('unmatched_payments');
