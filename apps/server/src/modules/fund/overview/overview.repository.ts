import type { Day, FundOrderStatus, Micros, RedemptionStatus } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** A purchase or a redemption as a record; `kind` 0 is a purchase. */
export interface RecordRow {
  readonly kind: 0 | 1
  readonly id: bigint
  readonly product_id: bigint
  readonly status: FundOrderStatus | RedemptionStatus
  readonly units: bigint
  readonly value_micros: bigint | null
  readonly at: Date
  /** Microseconds since the epoch, for the cursor. */
  readonly at_us: bigint
}

/** Returns the purchases and redemptions of a member, newest first. */
export async function listRecords(
  db: Db,
  memberId: bigint,
  page: {
    productId: bigint | undefined
    before: readonly [atUs: bigint, kind: bigint, id: bigint] | undefined
    limit: number
  },
): Promise<RecordRow[]> {
  const { productId, before } = page
  const ofProduct = productId === undefined ? sql`true` : sql`product_id = ${productId}`
  const earlier =
    before === undefined
      ? sql`true`
      : sql`(at_us, kind, id) < (${before[0]}::bigint, ${before[1]}::bigint, ${before[2]}::bigint)`
  const { rows } = await sql<RecordRow>`
    select kind, id, product_id, status, units, value_micros, at, at_us
    from (
      select 0 as kind, order_id as id, product_id, status, units, units * nav_micros as value_micros, created_at as at,
        (extract(epoch from created_at) * 1000000)::bigint as at_us
      from fund_orders where member_id = ${memberId} and ${ofProduct}
      union all
      select 1, redemption_id, product_id, status, units, units * nav_micros, submitted_at,
        (extract(epoch from submitted_at) * 1000000)::bigint
      from fund_redemptions where member_id = ${memberId} and ${ofProduct}
    ) as record
    where ${earlier} order by at_us desc, kind desc, id desc limit ${page.limit + 1}`.execute(db)
  return rows
}

/** The change of a member's holding of a product on a UTC day, in units. */
export interface UnitChangeRow {
  readonly product_id: bigint
  readonly day: Day
  readonly units: bigint
}

/** Returns the members among the given ones who hold units of a product. */
export async function holdersAmong(
  db: Db,
  productId: bigint,
  memberIds: readonly bigint[],
): Promise<bigint[]> {
  const ids = sql`${memberIds}::bigint[]`
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from (
      select member_id, units from fund_orders
      where member_id = any (${ids}) and product_id = ${productId} and collected_at is not null
      union all
      select member_id, -units from fund_redemptions
      where member_id = any (${ids}) and product_id = ${productId} and paid_at is not null
    ) as change group by member_id having sum(units) > 0 order by member_id`.execute(db)
  return rows.map(({ memberId }) => memberId)
}

/** Returns all changes of a member's units: purchases when paid, redemptions when paid out. */
export async function unitChanges(db: Db, memberId: bigint): Promise<UnitChangeRow[]> {
  const { rows } = await sql<UnitChangeRow>`
    select product_id, day, sum(units)::bigint as units
    from (
      select product_id, (collected_at at time zone 'UTC')::date as day, units
      from fund_orders where member_id = ${memberId} and collected_at is not null
      union all
      select product_id, (paid_at at time zone 'UTC')::date, -units
      from fund_redemptions where member_id = ${memberId} and paid_at is not null
    ) as change group by product_id, day`.execute(db)
  return rows
}

/** Returns the last NAV of a product published before the end of a day. */
export interface DayNavRow {
  readonly product_id: bigint
  readonly day: Day
  readonly nav_micros: Micros
}

/** Returns the last NAVs of some products on some days; days before the first NAV are left out. */
export async function dailyNavs(
  db: Db,
  productIds: readonly bigint[],
  days: readonly Day[],
): Promise<DayNavRow[]> {
  const { rows } = await sql<DayNavRow>`
    select wanted.product_id, wanted.day, last.nav_micros
    from (select * from unnest(${productIds}::bigint[]) as product_id, unnest(${days}::date[]) as day) as wanted
    cross join lateral (
      select nav_micros from fund_navs
      where product_id = wanted.product_id and published_at < (wanted.day + 1)::timestamp at time zone 'UTC'
      order by published_at desc, nav_id desc limit 1
    ) as last`.execute(db)
  return rows
}

/** Identifies the product and the order of a fund transaction. */
export interface FundSource {
  readonly type: 'fund_order' | 'fund_redemption'
  readonly id: bigint
  readonly productName: string
  /** The member whose redemption paid the income; null for the member's own. */
  readonly sourceMemberId: bigint | null
}

/** Returns the products of a member's orders and redemptions, and of the redemptions that paid the member an income. */
export async function sourcesOf(
  db: Db,
  memberId: bigint,
  { orderIds, redemptionIds }: { orderIds: readonly bigint[]; redemptionIds: readonly bigint[] },
): Promise<FundSource[]> {
  if (orderIds.length + redemptionIds.length === 0) return []
  const { rows } = await sql<FundSource>`
    select type, id, name as "productName", source_member_id as "sourceMemberId"
    from (
      select 'fund_order' as type, order_id as id, product_id, null::bigint as source_member_id
      from fund_orders where member_id = ${memberId} and order_id = any(${orderIds}::bigint[])
      union all
      select 'fund_redemption', redemption_id, product_id, null
      from fund_redemptions where member_id = ${memberId} and redemption_id = any(${redemptionIds}::bigint[])
      union all
      select 'fund_redemption', redemption_id, product_id, source_member_id
      from fund_income where member_id = ${memberId} and redemption_id = any(${redemptionIds}::bigint[])
    ) as found join fund_products using (product_id)`.execute(db)
  return rows
}
