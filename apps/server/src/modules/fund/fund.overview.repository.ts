import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A purchase or a redemption as a record; `kind` 0 is a purchase. */
export interface RecordRow {
  readonly kind: 0 | 1
  readonly id: bigint
  readonly product_id: bigint
  readonly status: string
  readonly units: bigint
  readonly value_micros: bigint | null
  readonly at: Date
  /** Microseconds since the epoch, for the cursor. */
  readonly at_us: bigint
}

/** Purchases and redemptions of a member, newest first. */
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
