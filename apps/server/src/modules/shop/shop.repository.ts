import { dayOf, type OrderStatus } from '@rif/rules'
import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { bigint, nextIdRead, nullable, plain, type Read, type RowOf, read, rowsJson } from '../../db/read.ts'
import { insertNumbered, rowsOf } from '../../db/rows.ts'
import type { Orders } from '../../db/types.gen.ts'

/** A stored order; the schema describes the columns. */
export type OrderRow = Selectable<Orders>

/** The columns of an order's quotes. */
export type QuoteColumns = Pick<
  OrderRow,
  | 'price_micros'
  | 'full_usdt_micros'
  | 'full_amc_micros'
  | 'discount_micros'
  | 'rif_micros'
  | 'discounted_usdt_micros'
  | 'discounted_amc_micros'
  | 'use_hash_rate'
>

/** Returns a member's newest paid order of a package, or null. */
export async function newestPaid(
  db: Db,
  memberId: bigint,
  packageId: number,
): Promise<Pick<OrderRow, 'created_at' | 'static_paid_micros'> | null> {
  const row = await db
    .selectFrom('orders')
    .select(['created_at', 'static_paid_micros'])
    .where('member_id', '=', memberId)
    .where('package_id', '=', packageId)
    .where('status', '=', 'Paid')
    .orderBy('order_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the copies per package whose payments are in blocks, final or not. */
export async function paidCopies(db: Db): Promise<ReadonlyMap<number, number>> {
  const rows = await db.selectFrom('package_copies').select(['package_id', 'paid']).execute()
  return new Map(rows.map((row) => [row.package_id, row.paid]))
}

/**
 * Adds copies whose payments have appeared in blocks, or takes back those that disappeared. Order of locks: `copies` in
 * docs/invariants.md.
 */
export async function addCopies(dbTx: Db, copies: ReadonlyMap<number, number>): Promise<void> {
  if (copies.size === 0) return
  const packageIds = [...copies.keys()].sort((a, b) => a - b)
  await sql`
    select package_id from package_copies where package_id = any (${packageIds}::smallint[])
    order by package_id for update`.execute(dbTx)
  await sql`
    update package_copies as c set paid = c.paid + n.by
    from unnest(${packageIds}::smallint[], ${packageIds.map((id) => copies.get(id)!)}::integer[]) as n (package_id, by)
    where n.package_id = c.package_id`.execute(dbTx)
}

/** Locks a package's row, under which an order is counted on its day. Order of locks: `packages` in docs/invariants.md. */
export async function lockPackage(dbTx: Db, packageId: number): Promise<void> {
  await sql`select from packages where package_id = ${packageId} for update`.execute(dbTx)
}

/** Returns the read of the number of paid copies of a package. */
export const copiesRead = (packageId: number): Read<number> => ({
  rows: () =>
    sql`select null::bigint as member_id, paid as value from package_copies where package_id = ${packageId}`,
  parse(paid: number | undefined) {
    if (paid === undefined) throw new Error(`package ${packageId} has no row`)
    return paid
  },
})

/** Counts a created or cancelled order on the package's day; the package's row is locked. */
export async function countOrder(
  dbTx: Db,
  packageId: number,
  at: Date,
  step: { ordered?: 1; firstOrdered?: boolean; cancelled?: 1 },
): Promise<void> {
  const { ordered = 0, firstOrdered = false, cancelled = 0 } = step
  await sql`
    insert into order_days as days (package_id, day, ordered, first_ordered, cancelled)
    values (${packageId}, ${dayOf(at.getTime())}::date, ${ordered}, ${firstOrdered ? 1 : 0}, ${cancelled})
    on conflict (package_id, day) do update set ordered = days.ordered + excluded.ordered,
      first_ordered = days.first_ordered + excluded.first_ordered,
      cancelled = days.cancelled + excluded.cancelled`.execute(dbTx)
}

/**
 * Counts collected orders on the package's day, with their revenue, or removes one; the lock of volumes is
 * held.
 */
export async function countSale(
  dbTx: Db,
  packageId: number,
  at: Date,
  sale: { orders: number; baseMicros: bigint; usdtMicros: bigint; amcMicros: bigint; rifMicros: bigint },
): Promise<void> {
  await sql`
    insert into sales_days as days (package_id, day, paid, base_micros, usdt_micros, amc_micros, rif_micros)
    values (${packageId}, ${dayOf(at.getTime())}::date, ${sale.orders}, ${sale.baseMicros}, ${sale.usdtMicros},
      ${sale.amcMicros}, ${sale.rifMicros})
    on conflict (package_id, day) do update set paid = days.paid + excluded.paid,
      base_micros = days.base_micros + excluded.base_micros, usdt_micros = days.usdt_micros + excluded.usdt_micros,
      amc_micros = days.amc_micros + excluded.amc_micros, rif_micros = days.rif_micros + excluded.rif_micros`.execute(
    dbTx,
  )
  if (sale.orders === -1) await sql`delete from sales_days where paid = 0`.execute(dbTx)
}

/**
 * Returns the highest level of a member's paid orders, 0 without any, and the collection time of the first.
 */
export async function paidSummary(
  db: Db,
  memberId: bigint,
): Promise<{ level: number; firstAt: Date | null }> {
  const { rows } = await sql<{ level: number; firstAt: Date | null }>`
    select coalesce(max(level), 0)::integer as level, min(collected_at) as "firstAt"
    from orders where member_id = ${memberId} and status = 'Paid'`.execute(db)
  return rows[0]!
}

/** Returns the read of the number of the next order. */
export const nextOrderRead = nextIdRead('orders', 'order_id')

/** Stores an order under a number of `nextOrderRead`. */
export async function insertOrder(dbTx: Db, order: OrderRow): Promise<void> {
  await insertNumbered(dbTx, 'orders', { ...order })
}

export async function findOrder(db: Db, memberId: bigint, orderId: bigint): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

/** Returns orders by member and number; unknown ones are left out. */
export async function findOrders(
  db: Db,
  orders: readonly { readonly memberId: bigint; readonly id: bigint }[],
): Promise<OrderRow[]> {
  const members = orders.map(({ memberId }) => memberId)
  const ids = orders.map(({ id }) => id)
  const { rows } = await sql<OrderRow>`
    select o.* from unnest(${members}::bigint[], ${ids}::bigint[]) as wanted (member_id, order_id)
    join orders as o using (member_id, order_id)`.execute(db)
  return rows
}

export async function packageNames(
  db: Db,
  memberId: bigint,
  orderIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  const { rows } = await sql<{ orderId: bigint; name: string }>`
    select order_id as "orderId", package_name as name from orders
    where member_id = ${memberId} and order_id = any(${orderIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.orderId, row.name]))
}

/** Returns the package names of orders of different members, by order. */
export async function namesOfOrders(
  db: Db,
  orders: readonly { readonly memberId: bigint; readonly orderId: bigint }[],
): Promise<ReadonlyMap<bigint, string>> {
  if (orders.length === 0) return new Map()
  const { rows } = await sql<{ orderId: bigint; name: string }>`
    select order_id as "orderId", package_name as name from orders
    where (member_id, order_id) in (
      select * from unnest(${orders.map(({ memberId }) => memberId)}::bigint[],
        ${orders.map(({ orderId }) => orderId)}::bigint[])
    )`.execute(db)
  return new Map(rows.map((row) => [row.orderId, row.name]))
}

/** Returns the ids of a member's newest orders whose package name contains a text. */
export async function ordersNamed(db: Db, memberId: bigint, text: string, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('orders')
    .select('order_id')
    .where('member_id', '=', memberId)
    .where(sql<boolean>`strpos(lower(package_name), lower(${text})) > 0`)
    .orderBy('order_id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => row.order_id)
}

/** The terms of a search of orders: a part of a name, the number of an order, the hash of a payment. */
interface OrderWanted {
  readonly text: string
  readonly orderId: bigint | null
  readonly txHash: string | null
}

/** The number of a member's newest orders that a search reads; older ones are found by their number. */
const SEARCHED_ORDERS = 2_000

/** Returns a member's newest orders that match a search. */
export async function foundOrders(
  db: Db,
  memberId: bigint,
  { text, orderId, txHash }: OrderWanted,
  limit: number,
): Promise<Pick<OrderRow, 'order_id' | 'package_name' | 'status' | 'price_micros' | 'created_at'>[]> {
  const columns = sql`order_id, package_name, status, price_micros, created_at`
  const { rows } = await sql<OrderRow>`
    (select ${columns} from (
        select * from orders where member_id = ${memberId} order by order_id desc limit ${SEARCHED_ORDERS}
      ) as newest
      where tx_hash = ${txHash} or strpos(lower(package_name), lower(${text})) > 0
      order by order_id desc limit ${limit})
    union select ${columns} from orders where member_id = ${memberId} and order_id = ${orderId}
    order by order_id desc limit ${limit}`.execute(db)
  return rows
}

/** Returns a member's paid orders, newest first. The copies of the packages limit their number. */
export async function paidOrders(db: Db, memberId: bigint): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('status', '=', 'Paid')
    .orderBy('order_id', 'desc')
    .execute()
}

/** Changes an order; the caller holds the member's head. */
export async function updateOrder(
  dbTx: Db,
  order: Pick<OrderRow, 'member_id' | 'order_id'>,
  changes: Updateable<Orders>,
): Promise<OrderRow> {
  return dbTx
    .updateTable('orders')
    .set(changes)
    .where('member_id', '=', order.member_id)
    .where('order_id', '=', order.order_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** The columns that the payment of an order sets. */
export type PaidColumns = Pick<
  OrderRow,
  | 'member_id'
  | 'order_id'
  | 'tx_hash'
  | 'seen_block'
  | 'paid_at'
  | 'collected_at'
  | 'paid_sequence'
  | 'use_hash_rate'
>

/** Marks orders as paid; the caller holds the heads of their members. */
export async function markPaid(dbTx: Db, paid: readonly PaidColumns[]): Promise<void> {
  await sql`
    update orders set status = 'Paid', tx_hash = paid.tx_hash, seen_block = paid.seen_block, paid_at = paid.paid_at,
      collected_at = paid.collected_at, paid_sequence = paid.paid_sequence, use_hash_rate = paid.use_hash_rate,
      holds_rif = false
    from ${rowsOf('orders', paid)} as paid
    where orders.member_id = paid.member_id and orders.order_id = paid.order_id`.execute(dbTx)
}

/** Returns a member's orders, newest first, up to `limit` + 1. */
export async function listOrders(
  db: Db,
  memberId: bigint,
  filter: { status?: OrderStatus | undefined; before?: bigint | undefined; limit: number },
): Promise<OrderRow[]> {
  let query = db.selectFrom('orders').selectAll().where('member_id', '=', memberId)
  if (filter.status !== undefined) query = query.where('status', '=', filter.status)
  if (filter.before !== undefined) query = query.where('order_id', '<', filter.before)
  return query
    .orderBy('order_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** An unpaid order in the form that the rule about open orders uses. */
const UNPAID = {
  orderId: plain('order_id::text'),
  level: plain<number>('package_id'),
  expiresAtMs: plain<number>('round(1000 * extract(epoch from expires_at))'),
}
export type UnpaidOrder = RowOf<typeof UNPAID>

/**
 * Returns the read of a member's unpaid orders, and of whether the member has ever ordered. Read it under the
 * member's head.
 */
export const ownOrdersRead: Read<{ readonly unpaid: readonly UnpaidOrder[]; readonly hasOrdered: boolean }> =
  read<{ unpaid: UnpaidOrder[] | null }, { unpaid: readonly UnpaidOrder[]; hasOrdered: boolean }>(
    (memberIds) => sql`
      select asked.member_id, json_build_object('unpaid', unpaid.orders) as value
      from unnest(${memberIds}) as asked (member_id)
      left join (
        select member_id, ${rowsJson(UNPAID)} as orders
        from orders where member_id = any(${memberIds}) and status = 'UnPaid' group by member_id
      ) as unpaid using (member_id)
      where asked.member_id in (select member_id from orders where member_id = any(${memberIds}))`,
    (own) => ({ unpaid: own?.unpaid ?? [], hasOrdered: own !== undefined }),
  )

/**
 * Returns orders without a seen payment whose quote expired before `chainTime`, oldest first: open ones, and cancelled ones
 * whose RIF are still held.
 */
export async function expiredOrders(db: Db, chainTime: Date, limit: number): Promise<OrderRow[]> {
  const expired = (condition: RawBuilder<unknown>) => sql`
    (select * from orders where ${condition} and seen_block is null and expires_at < ${chainTime}
    order by expires_at limit ${limit})`
  const { rows } = await sql<OrderRow>`
    select * from (
      ${expired(sql`status in ('UnPaid', 'Processing')`)}
      union all ${expired(sql`status = 'Cancelled' and holds_rif`)}
    ) as both_kinds order by expires_at limit ${limit}`.execute(db)
  return rows
}

/** Returns orders whose payment was reported but not seen yet. */
export async function reportedOrders(db: Db, limit: number): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('status', '=', 'Processing')
    .where('seen_block', 'is', null)
    .orderBy('reported_at')
    .limit(limit)
    .execute()
}

/** The columns that determine the figures of a paid package. */
export type PaidPackage = QuoteColumns & Pick<OrderRow, 'static_paid_micros'>

/** The columns of `paidPackagesOf`. */
export const PAID_PACKAGE = {
  price_micros: bigint('price_micros'),
  static_paid_micros: bigint('static_paid_micros'),
  use_hash_rate: plain<boolean>('use_hash_rate'),
  full_usdt_micros: bigint('full_usdt_micros'),
  full_amc_micros: bigint('full_amc_micros'),
  discount_micros: nullable(bigint('discount_micros')),
  rif_micros: nullable(bigint('rif_micros')),
  discounted_usdt_micros: nullable(bigint('discounted_usdt_micros')),
  discounted_amc_micros: nullable(bigint('discounted_amc_micros')),
}

export function paidPackagesOf(memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> {
  return sql`
    select member_id, ${rowsJson(PAID_PACKAGE)} as value
    from orders where member_id = any (${memberIds}) and status = 'Paid' group by member_id`
}

/**
 * Returns the next `count` numbers in the order of payment, ascending. The lock of volumes is held, so numbers increase
 * with time.
 */
export async function nextPaidSequences(dbTx: Db, count: number): Promise<bigint[]> {
  const { rows } = await sql<{ place: bigint }>`
    select nextval('paid_sequence') as place from generate_series(1, ${count}::integer)`.execute(dbTx)
  return rows.map(({ place }) => place).sort((a, b) => (a < b ? -1 : 1))
}

/**
 * Adds the amounts that static rewards have paid: a query of (member_id, order_id, paid_micros). The caller has
 * locked the heads.
 */
export async function addStaticPaid(dbTx: Db, paid: RawBuilder<unknown>): Promise<void> {
  await sql`
    update orders set static_paid_micros = orders.static_paid_micros + paid.paid_micros
    from (${paid}) as paid
    where orders.member_id = paid.member_id and orders.order_id = paid.order_id`.execute(dbTx)
}
