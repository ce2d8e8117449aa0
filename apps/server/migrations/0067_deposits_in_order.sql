-- Deposits are numbered on chain by 256 bits, and told newest first.
create index on revenue_deposits ((deposit_id::numeric));
