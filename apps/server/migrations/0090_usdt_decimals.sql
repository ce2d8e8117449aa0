-- The decimals of USDT as a quorum of the nodes gave them, so that a process that starts while no node answers can show amounts.
-- Null until the first indexer that checked the contracts.
alter table chain_cursors add column usdt_decimals smallint check (usdt_decimals in (6, 18));
