-- A sponsor's income is a part of the fee that the same dbTx credits, so `fees` never pays more than it was given.
alter table fund_income add check (amount_micros <= management_fee_micros);
