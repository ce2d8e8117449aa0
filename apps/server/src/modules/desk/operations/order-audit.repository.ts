import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { FUND_PRODUCTS, OPEN_FUND_ORDERS, REDEMPTIONS } from '../../fund/fund.relations.ts'
import { MEMBERS } from '../../members/members.relations.ts'
import { SUSPENDED_PAYMENTS } from '../../shop/checkout/checkout.relations.ts'
import { OPEN_ORDERS } from '../../shop/shop.relations.ts'

/**
 * A search in a queue: a number of a member or of the item, the start of an address, or a transaction's hash.
 */
export type Find = { readonly number: bigint } | { readonly addressStart: string } | { readonly hash: string }

/** The part of a queue to read; null means no search. */
interface Part {
  readonly find: Find | null
  readonly limit: number
}

/** The oldest pending items, and their number. */
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

/** Returns open orders of packages and fund products that were reported, or expired, before `before`. */
export async function stuckOrders(
  db: Db,
  before: Date,
  part: Part & { readonly type?: StuckRow['type'] | undefined },
): Promise<Queue<StuckRow>> {
  return queue(
    db,
    'since',
    { ...part, only: part.type && sql`type = ${part.type}` },
    sql`
    select 'package' as type, member_id as "memberId", order_id as "orderId", package_name as name, status,
      tx_hash as "txHash", coalesce(reported_at, expires_at) as since, order_id as number, null as payer
    from ${OPEN_ORDERS} as orders where coalesce(reported_at, expires_at) < ${before}
    union all
    select 'fund', o.member_id, o.order_id, p.name, o.status, o.tx_hash, coalesce(o.reported_at, o.expires_at), o.order_id, null
    from ${OPEN_FUND_ORDERS} as o join ${FUND_PRODUCTS} as p using (product_id)
    where coalesce(o.reported_at, o.expires_at) < ${before}`,
  )
}

/** A redemption as `waitingRedemptions` finds it. */
export interface AuditedRedemption {
  readonly redemptionId: bigint
  readonly productName: string
  readonly units: bigint
  readonly costMicros: bigint
  readonly status: 'Pending' | 'Approved'
  readonly submittedAt: Date
  readonly dueAt: Date | null
}

/** Returns redemptions that wait for a decision, and those whose payment was due before `at`. */
export async function waitingRedemptions(
  db: Db,
  at: Date,
  part: Part & { readonly status?: AuditedRedemption['status'] | undefined },
): Promise<Queue<AuditedRedemption>> {
  return queue(
    db,
    '"submittedAt"',
    { ...part, only: part.status && sql`status = ${part.status}` },
    sql`
    select r.member_id as "memberId", r.redemption_id as "redemptionId", p.name as "productName", r.units,
      r.cost_micros as "costMicros", r.status, r.submitted_at as "submittedAt", r.due_at as "dueAt",
      r.redemption_id as number, null as payer, null as "txHash"
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

/** Returns payments in `suspense` that are not assigned to a member yet. */
export async function suspendedPayments(
  db: Db,
  part: Part & { readonly reason?: PaymentRow['reason'] | undefined },
): Promise<Queue<PaymentRow>> {
  return queue(
    db,
    '"paidAt"',
    { ...part, only: part.reason && sql`reason = ${part.reason}` },
    sql`
    select member_id as "memberId", tx_hash as "txHash", log_index as "logIndex", payer, reason,
      usdt_micros as "usdtMicros", amc_micros as "amcMicros", paid_at as "paidAt",
      null::bigint as number
    from ${SUSPENDED_PAYMENTS} as payments`,
  )
}

async function queue<Row>(
  db: Db,
  order: string,
  { find, limit, only }: Part & { readonly only: ReturnType<typeof sql> | undefined },
  of: ReturnType<typeof sql>,
): Promise<Queue<Row>> {
  const wanted = [...(find === null ? [] : [matching(find)]), ...(only === undefined ? [] : [only])]
  const where = wanted.length === 0 ? sql`` : sql`where ${sql.join(wanted, sql` and `)}`
  const { rows } = await sql<Row & { memberId: bigint; waiting: number }>`
    select *, count(*) over ()::integer as waiting from (${of}) as found ${where}
    order by ${sql.raw(order)} limit ${limit}`.execute(db)
  return { rows, waiting: rows[0]?.waiting ?? 0 }
}

/** Returns the condition of a search in a queue. */
function matching(find: Find) {
  if ('number' in find) return sql`(number = ${find.number} or "memberId" = ${find.number})`
  if ('hash' in find) return sql`"txHash" = ${find.hash}`
  const start = sql`${find.addressStart}::text`
  return sql`(starts_with(payer, ${start}) or exists (select from ${MEMBERS} as named
    where named.member_id = found."memberId" and starts_with(named.address, ${start})))`
}
