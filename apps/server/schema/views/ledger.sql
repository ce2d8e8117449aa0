create view ledger_flows as
  select split_part(flow, ' ', 1) as kind,
         split_part(flow, ' ', 2) as asset,
         split_part(split_part(flow, ' ', 3), '>', 1) as source,
         split_part(split_part(flow, ' ', 3), '>', 2) as destination
  from unnest(ledger_flow_list()) as flow;

-- The pools and their days as the postings make them, whether credits are folded and parts closed or not.
create view ledger_pool_sums as
  select p.account, p.asset, (p.balance + coalesce(c.amount, 0) - coalesce(parts.paid, 0))::bigint as balance,
    (p.reserved - coalesce(parts.paid, 0))::bigint as reserved
  from ledger_pools as p
  left join (select account, asset, sum(amount) as amount from ledger_pool_credits group by account, asset) as c
    using (account, asset)
  left join (select account, asset, sum(paid) as paid from ledger_pool_parts group by account, asset) as parts
    using (account, asset);

create view ledger_pool_day_sums as
  select account, asset, accounting_day, sum(amount)::bigint as amount
  from (
    select account, asset, accounting_day, amount from ledger_pool_days
    union all
    select account, asset, accounting_day, amount from ledger_pool_credits
    union all
    select account, asset, accounting_day, -paid from ledger_pool_parts where paid > 0
  ) as parts
  group by account, asset, accounting_day;

-- The same rows as transactions and as lines.
create view ledger_transactions as
  select member_id, seq, kind, idempotency_key, content_digest, cause_type, cause_id, accounting_day, posted_at, reverses_seq
  from ledger_entries where idempotency_key is not null;

create view ledger_postings as
  select member_id, seq, line, kind, asset, source, destination, amount, accounting_day from ledger_entries;

-- The postings that stand: of transactions that are no reversals and were not reversed.
create view ledger_standing as
  select p.member_id, p.seq, p.line, p.kind, p.asset, p.source, p.destination, p.amount, p.accounting_day,
    t.idempotency_key, t.cause_type, t.cause_id
  from ledger_postings as p join ledger_transactions as t using (member_id, seq)
  where t.reverses_seq is null and not exists (
    select from ledger_transactions as r where r.member_id = t.member_id and r.reverses_seq = t.seq);

create view ledger_flow_sums as
  select accounting_day, kind, asset, source, destination, amount, postings from ledger_flow_days
  union all
  select accounting_day, kind, asset, source, destination, amount::numeric(40), postings from ledger_flow_deltas;

create view ledger_balances as
  select h.member_id, s.asset, s.account, h.balances[s.slot] as balance
  from ledger_heads as h
  cross join (
    select slot::integer, split_part(name, ' ', 1) collate "C" as asset, split_part(name, ' ', 2) collate "C" as account
    from unnest(ledger_slots()) with ordinality as l (name, slot) offset 0
  ) as s
  where h.balances[s.slot] <> 0;
