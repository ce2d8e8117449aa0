-- The bank counts the copies of a package when they are paid, so an unpaid order holds none (rules, section 4).

-- The copies that the bank has counted per package, as the indexer has seen their payments in blocks, final or not: the orders with a
-- seen payment. `packages` keeps the rows under whose lock the figures of the day are written.
create table package_copies (
  package_id smallint primary key,
  paid integer not null default 0 check (paid >= 0)
);
insert into package_copies (package_id) select package_id from packages;
update package_copies as c set paid = seen.count
from (select package_id, count(*) as count from orders where seen_block is not null group by package_id) as seen
where seen.package_id = c.package_id;
alter table packages drop column taken;

-- `quoted_at`: when the signer was first asked for the quote; null means that nobody can pay the order. `holds_rif`: the RIF of the
-- discounted quote are locked for the order, also after a cancellation until no payment can arrive any more.
alter table orders add column quoted_at timestamptz, add column holds_rif boolean not null default false;
update orders set quoted_at = created_at where status in ('UnPaid', 'Processing');
update orders set holds_rif = true where status in ('UnPaid', 'Processing') and rif_micros is not null;
create index orders_to_release on orders (expires_at) where holds_rif and status = 'Cancelled';

-- A cancelled order can be paid inside the deadline of its quote; it keeps the time at which it was cancelled.
alter table orders drop constraint orders_check5, drop constraint orders_check7;
alter table orders
  add constraint orders_cancelled_check check (case status
    when 'Cancelled' then num_nulls(cancelled_at, cancel_reason) = 0
    when 'Paid' then num_nulls(cancelled_at, cancel_reason) <> 1
    else num_nulls(cancelled_at, cancel_reason) = 2 end),
  add constraint orders_seen_check check (seen_block is null or status <> 'UnPaid'),
  add constraint orders_holds_rif_check check (not holds_rif or (rif_micros is not null and status <> 'Paid'));
alter table fund_orders drop constraint fund_orders_check5;
alter table fund_orders
  add constraint fund_orders_cancelled_check check (case
    when status = 'Cancelled' then num_nulls(cancelled_at, cancel_reason) = 0
    when paid_at is not null then num_nulls(cancelled_at, cancel_reason) <> 1
    else num_nulls(cancelled_at, cancel_reason) = 2 end);
