-- Operators list what ended on a day, the last one first. The expressions are those of the lists' column `ended_at`.
create index withdrawals_by_end on withdrawals (
  (case status when 'Success' then claimed_at when 'Rejected' then reviewed_at else cancelled_at end), withdrawal_id
);
create index transfers_by_end on transfers (
  (case status when 'Rejected' then reviewed_at else completed_at end), transfer_id
) where direction = 'out';
-- The largest of a state first.
create index withdrawals_by_worth on withdrawals (status, worth_micros, withdrawal_id);
create index transfers_by_worth on transfers (status, worth_micros, transfer_id) where direction = 'out';
-- An admin reads what he or she decided on lately.
create index proposals_by_decider on proposals (decided_by, state, proposal_id) where decided_by is not null;
