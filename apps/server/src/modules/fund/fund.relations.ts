import { sql } from 'kysely'

/** The fund products. */
export const FUND_PRODUCTS = sql`(
  select product_id, name from fund_products
)`

/** The fund orders that wait for payment. */
export const OPEN_FUND_ORDERS = sql`(
  select member_id, order_id, product_id, status, tx_hash, reported_at, expires_at
  from fund_orders where status in ('UnPaid', 'Processing')
)`

/** The redemptions of fund units. */
export const REDEMPTIONS = sql`(
  select member_id, redemption_id, product_id, units, cost_micros, status, submitted_at, due_at
  from fund_redemptions
)`
