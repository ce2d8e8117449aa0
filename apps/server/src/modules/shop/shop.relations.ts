import { sql } from 'kysely'

/** The paid orders; each has a package. */
export const PAID_ORDERS = sql`(
  select member_id, order_id, level, price_micros, case when use_hash_rate then discount_micros else 0 end as discount,
    amc_price_micros, static_paid_micros, created_at, collected_at, paid_sequence
  from orders where status = 'Paid'
)`

/** The orders that wait for payment. */
export const OPEN_ORDERS = sql`(
  select member_id, order_id, package_name, status, tx_hash, reported_at, expires_at
  from orders where status in ('UnPaid', 'Processing')
)`
