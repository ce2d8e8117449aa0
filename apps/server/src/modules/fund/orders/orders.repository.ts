import { type FundOrderStatus, type Lot, OPEN_FUND_ORDER_STATUSES, OPEN_ORDER_STATUSES } from '@rif/rules'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import { noteChange } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import { bigint, plain, type RowOf, rowsJson } from '../../../db/read.ts'
import type { FundOrders } from '../../../db/types.gen.ts'

/** A stored purchase; the schema describes the columns. */
export type FundOrderRow = Selectable<FundOrders>

/** The orders of each tab in the specification. */
export const ORDER_TABS = {
  Purchased: ['Paid', 'Redemption'],
  Redeemed: ['Redeemed'],
  Pending: OPEN_FUND_ORDER_STATUSES,
} as const satisfies Record<string, readonly FundOrderStatus[]>

/** Returns the price of an order with its fee, in USDT micro-units. */
export function totalOf(order: Pick<FundOrderRow, 'units' | 'nav_micros' | 'fee_micros'>): bigint {
  return order.units * order.nav_micros + order.fee_micros
}

export async function insertFundOrder(dbTx: Db, order: Insertable<FundOrders>): Promise<FundOrderRow> {
  noteChange(dbTx, BigInt(order.member_id), 'order')
  return dbTx.insertInto('fund_orders').values(order).returningAll().executeTakeFirstOrThrow()
}

export async function findFundOrder(
  db: Db,
  memberId: bigint,
  orderId: bigint,
): Promise<FundOrderRow | undefined> {
  return db
    .selectFrom('fund_orders')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
}

/** Changes an order. The caller holds the member's head. */
export async function updateFundOrder(
  dbTx: Db,
  order: Pick<FundOrderRow, 'member_id' | 'order_id'>,
  changes: Updateable<FundOrders>,
): Promise<FundOrderRow> {
  return dbTx
    .updateTable('fund_orders')
    .set(changes)
    .where('member_id', '=', order.member_id)
    .where('order_id', '=', order.order_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a member's orders, newest first, up to `limit` + 1. */
export async function listFundOrders(
  db: Db,
  memberId: bigint,
  filter: { tab?: keyof typeof ORDER_TABS | undefined; before?: bigint | undefined; limit: number },
): Promise<FundOrderRow[]> {
  let query = db.selectFrom('fund_orders').selectAll().where('member_id', '=', memberId)
  if (filter.tab !== undefined) query = query.where('status', 'in', ORDER_TABS[filter.tab])
  if (filter.before !== undefined) query = query.where('order_id', '<', filter.before)
  return query
    .orderBy('order_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** The number of a member's newest orders that a search reads; older ones are found by their number. */
const SEARCHED = 2_000

/**
 * Returns a member's newest orders that match a search: of some products, by number, or by the payment's
 * hash.
 */
export async function foundFundOrders(
  db: Db,
  memberId: bigint,
  wanted: {
    readonly productIds: readonly bigint[]
    readonly orderId: bigint | null
    readonly txHash: string | null
  },
  limit: number,
): Promise<FoundRow[]> {
  const { productIds, orderId, txHash } = wanted
  const columns = sql`order_id, product_id, status, units, nav_micros, fee_micros, created_at`
  const { rows } = await sql<FoundRow>`
    (select ${columns} from (
        select * from fund_orders where member_id = ${memberId} order by order_id desc limit ${SEARCHED}
      ) as newest
      where tx_hash = ${txHash} or product_id = any(${productIds}::bigint[])
      order by order_id desc limit ${limit})
    union select ${columns} from fund_orders where member_id = ${memberId} and order_id = ${orderId}
    order by order_id desc limit ${limit}`.execute(db)
  return rows
}

type FoundRow = Pick<
  FundOrderRow,
  'order_id' | 'product_id' | 'status' | 'units' | 'nav_micros' | 'fee_micros' | 'created_at'
>

/** Returns the orders of which a member holds units, of one product or of all, oldest first. */
export async function heldOrders(db: Db, memberId: bigint, productId?: bigint): Promise<FundOrderRow[]> {
  let query = db
    .selectFrom('fund_orders')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('units_left', '>', 0n)
  if (productId !== undefined) query = query.where('product_id', '=', productId)
  return query.orderBy('created_at').orderBy('order_id').execute()
}

/** Returns the units of a product that a member holds. */
export async function memberUnits(db: Db, memberId: bigint, productId: bigint): Promise<bigint> {
  const orders = await heldOrders(db, memberId, productId)
  return orders.reduce((sum, order) => sum + order.units_left, 0n)
}

/** Returns a held order in the form that the rules use. */
export function lotOf(order: FundOrderRow): Lot {
  return {
    id: order.order_id,
    boughtAtMs: order.created_at.getTime(),
    navMicros: order.nav_micros,
    freeUnits: order.units_left - order.units_reserved,
  }
}

/**
 * Returns open on-chain orders without a seen payment whose quote expired before `chainTime`, oldest first.
 */
export async function expiredFundOrders(db: Db, chainTime: Date, limit: number): Promise<FundOrderRow[]> {
  return db
    .selectFrom('fund_orders')
    .selectAll()
    .where('status', 'in', OPEN_ORDER_STATUSES)
    .where('expires_at', '<', chainTime)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

/** Returns orders whose payment was reported but not seen yet. */
export async function reportedFundOrders(db: Db, limit: number): Promise<FundOrderRow[]> {
  return db
    .selectFrom('fund_orders')
    .selectAll()
    .where('status', '=', 'Processing')
    .orderBy('reported_at')
    .limit(limit)
    .execute()
}

/** A member's units of a product. */
export const HELD_UNITS = { productId: plain('product_id::text'), units: bigint('units') }
export type HeldUnitsRow = RowOf<typeof HELD_UNITS>

export const heldUnitsOf = (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> => sql`
  select member_id, ${rowsJson(HELD_UNITS)} as value
  from (select member_id, product_id, sum(units_left) as units from fund_orders
    where member_id = any (${memberIds}) and units_left > 0 group by member_id, product_id) as held
  group by member_id`
