import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { POSTINGS } from '../../books/ledger/ledger.relations.ts'

/** A month as a half-open interval of time, and as accounting days. */
export interface Period {
  readonly start: Date
  readonly end: Date
  readonly firstDay: string
  readonly lastDay: string
}

/** The movements of one member and product in a month, and the units held before. */
export interface MovementRow {
  readonly member_id: bigint
  readonly product_id: bigint
  readonly opening_units: bigint
  readonly purchased_units: bigint
  readonly purchased_micros: bigint
  readonly subscription_fees: bigint
  readonly redeemed_units: bigint
  readonly redeemed_micros: bigint
  readonly redemption_fees: bigint
  readonly management_fees: bigint
}

export interface IncomeMovementRow {
  readonly member_id: bigint
  readonly income: bigint
  readonly moved: bigint
}

export interface BillRow {
  readonly member_id: bigint
  readonly month: string
  readonly bill: string
  readonly digest: Buffer
  readonly made_at: Date
}

/** Returns the next members that may have a bill, in ascending order. */
export async function nextMembers(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ member_id: bigint }>`
    select member_id from (
      (select distinct member_id from fund_orders where member_id > ${after} order by member_id limit ${limit})
      union
      (select distinct member_id from fund_income where member_id > ${after} order by member_id limit ${limit})
    ) as members order by member_id limit ${limit}`.execute(db)
  return rows.map((row) => row.member_id)
}

/**
 * Returns the movements of a range of members, by member and product. Movements before the month make up the
 * opening values.
 */
export async function movements(db: Db, first: bigint, last: bigint, period: Period): Promise<MovementRow[]> {
  const { start, end } = period
  const { rows } = await sql<MovementRow>`
    with bought as (
      select member_id, product_id,
        coalesce(sum(units) filter (where collected_at < ${start}), 0) as before,
        coalesce(sum(units) filter (where collected_at >= ${start}), 0) as units,
        coalesce(sum(units::numeric * nav_micros) filter (where collected_at >= ${start}), 0) as micros,
        coalesce(sum(fee_micros) filter (where collected_at >= ${start}), 0) as fees
      from fund_orders where member_id between ${first} and ${last} and collected_at < ${end}
      group by member_id, product_id
    ), redeemed as (
      select member_id, product_id,
        coalesce(sum(units) filter (where paid_at < ${start}), 0) as before,
        coalesce(sum(units) filter (where paid_at >= ${start}), 0) as units,
        coalesce(sum(units::numeric * nav_micros) filter (where paid_at >= ${start}), 0) as micros,
        coalesce(sum(redemption_fee_micros) filter (where paid_at >= ${start}), 0) as redemption_fees,
        coalesce(sum(management_fee_micros) filter (where paid_at >= ${start}), 0) as management_fees
      from fund_redemptions where member_id between ${first} and ${last} and paid_at < ${end}
      group by member_id, product_id
    )
    select member_id, product_id, (bought.before - coalesce(redeemed.before, 0))::bigint as opening_units,
      bought.units::bigint as purchased_units, bought.micros::bigint as purchased_micros,
      bought.fees::bigint as subscription_fees, coalesce(redeemed.units, 0)::bigint as redeemed_units,
      coalesce(redeemed.micros, 0)::bigint as redeemed_micros,
      coalesce(redeemed.redemption_fees, 0)::bigint as redemption_fees,
      coalesce(redeemed.management_fees, 0)::bigint as management_fees
    from bought left join redeemed using (member_id, product_id)
    where bought.before > coalesce(redeemed.before, 0) or bought.units > 0 or redeemed.units > 0
    order by member_id, product_id`.execute(db)
  return rows
}

/**
 * Returns the fund income of a range of members in a month, and the amounts that they moved to `available`.
 */
export async function incomeMovements(
  db: Db,
  first: bigint,
  last: bigint,
  period: Period,
): Promise<IncomeMovementRow[]> {
  const { rows } = await sql<IncomeMovementRow>`
    select member_id, coalesce(sum(income), 0)::bigint as income, coalesce(sum(moved), 0)::bigint as moved
    from (
      select member_id, amount_micros as income, 0 as moved from fund_income
      where member_id between ${first} and ${last} and received_at >= ${period.start} and received_at < ${period.end}
      union all
      select member_id, 0, amount from ${POSTINGS} as postings
      where kind = 'fund_income_transfer' and member_id between ${first} and ${last}
        and accounting_day between ${period.firstDay} and ${period.lastDay}
    ) as movement group by member_id`.execute(db)
  return rows
}

/** Stores bills and leaves existing ones unchanged. Returns the number of new ones. */
export async function insertBills(
  dbTx: Db,
  bills: readonly Omit<BillRow, 'month' | 'made_at'>[],
  { month, at }: { month: string; at: Date },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into fund_bills (member_id, month, bill, digest, made_at)
    select member_id, ${month}, bill, digest, ${at}::timestamptz
    from unnest(${bills.map((row) => row.member_id)}::bigint[], ${bills.map((row) => row.bill)}::text[],
      ${bills.map((row) => row.digest)}::bytea[]) as made (member_id, bill, digest)
    on conflict (member_id, month) do nothing`.execute(dbTx)
  return Number(numAffectedRows ?? 0n)
}

export async function findBill(db: Db, memberId: bigint, month: string): Promise<BillRow | undefined> {
  return db
    .selectFrom('fund_bills')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('month', '=', month)
    .executeTakeFirst()
}

/** Returns a member's bills, newest first, optionally only those before a month. */
export async function listBills(
  db: Db,
  memberId: bigint,
  page: { before: string | undefined; limit: number },
): Promise<BillRow[]> {
  let query = db.selectFrom('fund_bills').selectAll().where('member_id', '=', memberId)
  if (page.before !== undefined) query = query.where('month', '<', page.before)
  return query
    .orderBy('month', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Locks the progress of a month's bills, inserting it if missing, and returns the last member billed. Undefined when all bills are made. */
export async function lockRun(dbTx: Db, month: string): Promise<bigint | undefined> {
  await sql`insert into fund_bill_runs (month) values (${month}) on conflict (month) do nothing`.execute(dbTx)
  const row = await dbTx
    .selectFrom('fund_bill_runs')
    .select('last_member_id')
    .where('month', '=', month)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row?.last_member_id
}

export async function advanceRun(
  dbTx: Db,
  month: string,
  changes: { last_member_id: bigint } | { finished_at: Date },
): Promise<void> {
  await dbTx.updateTable('fund_bill_runs').set(changes).where('month', '=', month).execute()
}

/** Returns the last month whose bills are all made. */
export async function lastFinishedMonth(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('fund_bill_runs')
    .select((eb) => eb.fn.max('month').as('month'))
    .where('finished_at', 'is not', null)
    .executeTakeFirst()
  return row?.month ?? undefined
}

/** Returns the time of the first purchase of units. */
export async function firstPurchase(db: Db): Promise<Date | undefined> {
  const row = await db
    .selectFrom('fund_orders')
    .select((eb) => eb.fn.min('collected_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}
