import { OPEN_REDEMPTION_STATUSES, type RedemptionStatus } from '@rif/rules'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { noteChange, OPERATORS } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import type { FundRedemptions } from '../../../db/types.gen.ts'

/** A stored redemption; the schema describes the columns. */
export type RedemptionRow = Selectable<FundRedemptions>

/** The units of a lot in a redemption, with their cost per unit. */
export interface RedemptionLotRow {
  readonly redemption_id: bigint
  readonly order_id: bigint
  readonly units: bigint
  readonly nav_micros: bigint
}

/** The redemptions of each tab in the specification; Closed are those without a payment. */
export const REDEMPTION_TABS = {
  Pending: OPEN_REDEMPTION_STATUSES,
  Redeemed: ['Completed'],
  Closed: ['Rejected', 'Cancelled'],
} as const satisfies Record<string, readonly RedemptionStatus[]>

/** Operators review redemptions, so their queue is notified too. */
function noteRedemption(dbTx: Db, { member_id }: Pick<Insertable<FundRedemptions>, 'member_id'>): void {
  noteChange(dbTx, BigInt(member_id), 'order')
  noteChange(dbTx, OPERATORS, 'queue')
}

export async function insertRedemption(
  dbTx: Db,
  redemption: Insertable<FundRedemptions>,
  parts: readonly { readonly id: bigint; readonly units: bigint }[],
): Promise<RedemptionRow> {
  noteRedemption(dbTx, redemption)
  const row = await dbTx
    .insertInto('fund_redemptions')
    .values(redemption)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { member_id, redemption_id } = row
  await dbTx
    .insertInto('fund_redemption_lots')
    .values(parts.map(({ id, units }) => ({ member_id, redemption_id, order_id: id, units })))
    .execute()
  return row
}

export async function findRedemption(
  db: Db,
  memberId: bigint,
  redemptionId: bigint,
): Promise<RedemptionRow | undefined> {
  return db
    .selectFrom('fund_redemptions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('redemption_id', '=', redemptionId)
    .executeTakeFirst()
}

/** Changes a redemption. The caller holds the member's head. */
export async function updateRedemption(
  dbTx: Db,
  redemption: Pick<RedemptionRow, 'member_id' | 'redemption_id'>,
  changes: Updateable<FundRedemptions>,
): Promise<RedemptionRow> {
  noteRedemption(dbTx, redemption)
  return dbTx
    .updateTable('fund_redemptions')
    .set(changes)
    .where('member_id', '=', redemption.member_id)
    .where('redemption_id', '=', redemption.redemption_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a member's redemptions, newest first, up to `limit` + 1. */
export async function listRedemptions(
  db: Db,
  memberId: bigint,
  filter: {
    tab?: keyof typeof REDEMPTION_TABS | undefined
    productId?: bigint | undefined
    before?: bigint | undefined
    limit: number
  },
): Promise<RedemptionRow[]> {
  let query = db.selectFrom('fund_redemptions').selectAll().where('member_id', '=', memberId)
  if (filter.tab !== undefined) query = query.where('status', 'in', REDEMPTION_TABS[filter.tab])
  if (filter.productId !== undefined) query = query.where('product_id', '=', filter.productId)
  if (filter.before !== undefined) query = query.where('redemption_id', '<', filter.before)
  return query
    .orderBy('redemption_id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** Returns the oldest undecided redemption of a member and product. */
export async function oldestPending(
  db: Db,
  memberId: bigint,
  productId: bigint,
): Promise<RedemptionRow | undefined> {
  return db
    .selectFrom('fund_redemptions')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('product_id', '=', productId)
    .where('status', '=', 'Pending')
    .orderBy('redemption_id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the undecided redemptions of all members, oldest first. */
export async function pendingRedemptions(db: Db, limit: number): Promise<RedemptionRow[]> {
  return db
    .selectFrom('fund_redemptions')
    .selectAll()
    .where('status', '=', 'Pending')
    .orderBy('submitted_at')
    .limit(limit)
    .execute()
}

/** Returns the oldest undecided redemption of a product. */
export async function firstPending(db: Db, productId: bigint): Promise<RedemptionRow | undefined> {
  return db
    .selectFrom('fund_redemptions')
    .selectAll()
    .where('product_id', '=', productId)
    .where('status', '=', 'Pending')
    .orderBy('redemption_id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the number, the units and the first of a product's undecided redemptions. */
export async function pendingOf(
  db: Db,
  productId: bigint,
  limit: number,
): Promise<{ length: number; units: bigint; rows: RedemptionRow[] }> {
  const pending = db
    .selectFrom('fund_redemptions')
    .where('product_id', '=', productId)
    .where('status', '=', 'Pending')
  const [sums, rows] = await Promise.all([
    pending
      .select([
        sql<number>`count(*)::integer`.as('length'),
        sql<bigint>`coalesce(sum(units), 0)::bigint`.as('units'),
      ])
      .executeTakeFirstOrThrow(),
    pending.selectAll().orderBy('redemption_id').limit(limit).execute(),
  ])
  return { ...sums, rows }
}

/** Returns the approved redemptions of a product in the order of payment. */
export async function queueOf(db: Db, productId: bigint, limit: number): Promise<RedemptionRow[]> {
  return db
    .selectFrom('fund_redemptions')
    .selectAll()
    .where('status', '=', 'Approved')
    .where('product_id', '=', productId)
    .orderBy('approval_place')
    .limit(limit)
    .execute()
}

/** Returns the queue positions, from 1, of a member's approved redemptions. */
export async function queuePlaces(
  db: Db,
  redemptions: readonly RedemptionRow[],
): Promise<ReadonlyMap<bigint, number>> {
  const approved = redemptions.filter(({ status }) => status === 'Approved')
  if (approved.length === 0) return new Map()
  const { rows } = await sql<{ redemption_id: bigint; place: number }>`
    select own.redemption_id, count(*)::integer as place
    from unnest(${approved.map((item) => item.redemption_id)}::bigint[],
      ${approved.map((item) => item.product_id)}::bigint[], ${approved.map((item) => item.approval_place!)}::bigint[])
      as own (redemption_id, product_id, place)
    join fund_redemptions as ahead on ahead.status = 'Approved' and ahead.product_id = own.product_id
      and ahead.approval_place <= own.place
    group by own.redemption_id`.execute(db)
  return new Map(rows.map(({ redemption_id, place }) => [redemption_id, place]))
}

/** Returns the due time of the next approved redemption after a time. */
export async function nextDue(db: Db, after: Date): Promise<Date | null> {
  const row = await db
    .selectFrom('fund_redemptions')
    .select((eb) => eb.fn.min('due_at').as('due_at'))
    .where('status', '=', 'Approved')
    .where('due_at', '>', after)
    .executeTakeFirst()
  return row?.due_at ?? null
}

/** Returns the lots of some of a member's redemptions, oldest lot first. */
export async function lotsOf(
  db: Db,
  memberId: bigint,
  redemptionIds: readonly bigint[],
): Promise<RedemptionLotRow[]> {
  if (redemptionIds.length === 0) return []
  return db
    .selectFrom('fund_redemption_lots as part')
    .innerJoin('fund_orders as lot', (join) =>
      join.onRef('lot.member_id', '=', 'part.member_id').onRef('lot.order_id', '=', 'part.order_id'),
    )
    .select(['part.redemption_id', 'part.order_id', 'part.units', 'lot.nav_micros'])
    .where('part.member_id', '=', memberId)
    .where('part.redemption_id', 'in', redemptionIds)
    .orderBy('lot.created_at')
    .orderBy('lot.order_id')
    .execute()
}

/** Returns the redemptions of one lot, newest first. */
export async function redemptionsOfOrder(
  db: Db,
  memberId: bigint,
  orderId: bigint,
): Promise<{ redemption_id: bigint; status: RedemptionStatus; units: bigint; submitted_at: Date }[]> {
  const rows = await db
    .selectFrom('fund_redemption_lots as part')
    .innerJoin('fund_redemptions as redemption', (join) =>
      join
        .onRef('redemption.member_id', '=', 'part.member_id')
        .onRef('redemption.redemption_id', '=', 'part.redemption_id'),
    )
    .select(['part.redemption_id', 'redemption.status', 'part.units', 'redemption.submitted_at'])
    .where('part.member_id', '=', memberId)
    .where('part.order_id', '=', orderId)
    .orderBy('part.redemption_id', 'desc')
    .limit(100)
    .execute()
  return rows as { redemption_id: bigint; status: RedemptionStatus; units: bigint; submitted_at: Date }[]
}

/** Returns the total a member received from redemptions, after fees. */
export async function redeemedNet(db: Db, memberId: bigint): Promise<bigint> {
  const row = await db
    .selectFrom('fund_redemptions')
    .select(
      sql<bigint>`coalesce(sum(units * nav_micros - redemption_fee_micros - management_fee_micros), 0)::bigint`.as(
        'net',
      ),
    )
    .where('member_id', '=', memberId)
    .where('status', '=', 'Completed')
    .executeTakeFirstOrThrow()
  return row.net
}
