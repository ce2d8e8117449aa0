import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { SUSPENDED_PAYMENTS } from '../checkout/checkout.relations.ts'
import { FUND_PRODUCTS, OPEN_FUND_ORDERS, REDEMPTIONS } from '../fund/fund.relations.ts'
import { OPEN_ORDERS } from '../shop/shop.relations.ts'

/** The oldest of what waits, and how many there are. */
export interface Queue<Row> {
  readonly rows: readonly (Row & { readonly memberId: bigint })[]
  readonly waiting: number
}

/** An order as `stuckOrders` finds it. */
export interface StuckRow {
  readonly type: 'package' | 'fund'
  readonly orderId: bigint
  readonly name: string
  readonly status: 'UnPaid' | 'Processing'
  readonly txHash: string | null
  readonly since: Date
}

/** Open orders of packages and fund products that were reported, or expired, before `before`. */
export async function stuckOrders(db: Db, before: Date, limit: number): Promise<Queue<StuckRow>> {
  return queue(
    db,
    'since',
    limit,
    sql`
    select 'package' as type, member_id as "memberId", order_id as "orderId", package_name as name, status,
      tx_hash as "txHash", coalesce(reported_at, expires_at) as since
    from ${OPEN_ORDERS} as orders where coalesce(reported_at, expires_at) < ${before}
    union all
    select 'fund', o.member_id, o.order_id, p.name, o.status, o.tx_hash, coalesce(o.reported_at, o.expires_at)
    from ${OPEN_FUND_ORDERS} as o join ${FUND_PRODUCTS} as p using (product_id)
    where coalesce(o.reported_at, o.expires_at) < ${before}`,
  )
}

/** A redemption as `waitingRedemptions` finds it. */
export interface RedemptionRow {
  readonly redemptionId: bigint
  readonly productName: string
  readonly units: bigint
  readonly costMicros: bigint
  readonly status: 'Pending' | 'Approved'
  readonly submittedAt: Date
  readonly dueAt: Date | null
}

/** Redemptions that wait for a decision, and those whose time to be paid is over at `at`. */
export async function waitingRedemptions(db: Db, at: Date, limit: number): Promise<Queue<RedemptionRow>> {
  return queue(
    db,
    '"submittedAt"',
    limit,
    sql`
    select r.member_id as "memberId", r.redemption_id as "redemptionId", p.name as "productName", r.units,
      r.cost_micros as "costMicros", r.status, r.submitted_at as "submittedAt", r.due_at as "dueAt"
    from ${REDEMPTIONS} as r join ${FUND_PRODUCTS} as p using (product_id)
    where r.status = 'Pending' or (r.status = 'Approved' and r.due_at < ${at})`,
  )
}

/** A payment as `suspendedPayments` finds it. */
export interface PaymentRow {
  readonly txHash: string
  readonly logIndex: number
  readonly payer: string
  readonly reason:
    | ('unknown_order' | 'closed_order' | 'wrong_payer' | 'wrong_amount' | 'set_aside')
    | ('price_changed' | 'sale_stopped')
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
  readonly paidAt: Date
}

/** Payments in `suspense` that nobody has given to a member yet. */
export async function suspendedPayments(db: Db, limit: number): Promise<Queue<PaymentRow>> {
  return queue(
    db,
    '"paidAt"',
    limit,
    sql`
    select member_id as "memberId", tx_hash as "txHash", log_index as "logIndex", payer, reason,
      usdt_micros as "usdtMicros", amc_micros as "amcMicros", paid_at as "paidAt"
    from ${SUSPENDED_PAYMENTS} as payments`,
  )
}

async function queue<Row>(
  db: Db,
  order: string,
  limit: number,
  of: ReturnType<typeof sql>,
): Promise<Queue<Row>> {
  const { rows } = await sql<Row & { memberId: bigint; waiting: number }>`
    select *, count(*) over ()::integer as waiting from (${of}) as found
    order by ${sql.raw(order)} limit ${limit}`.execute(db)
  return { rows, waiting: rows[0]?.waiting ?? 0 }
}
