import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { FundIncome } from '../../../db/types.gen.ts'

export type IncomeRow = Selectable<FundIncome>

export async function insertIncome(dbTx: Db, income: Insertable<FundIncome>): Promise<void> {
  await dbTx.insertInto('fund_income').values(income).execute()
}

/** Returns a member's income, newest first, up to `limit` + 1 rows. */
export async function listIncome(
  db: Db,
  memberId: bigint,
  page: { before: bigint | undefined; limit: number },
): Promise<IncomeRow[]> {
  let query = db.selectFrom('fund_income').selectAll().where('member_id', '=', memberId)
  if (page.before !== undefined) query = query.where('income_id', '<', page.before)
  return query
    .orderBy('income_id', 'desc')
    .limit(page.limit + 1)
    .execute()
}

/** Returns the sums of a member's income: in all, and since the start of this month and of the last. */
export async function fundIncomeSums(
  db: Db,
  memberId: bigint,
  { thisMonth, lastMonth }: { thisMonth: Date; lastMonth: Date },
): Promise<{ total: bigint; this_month: bigint; last_month: bigint }> {
  const { rows } = await sql<{ total: bigint; this_month: bigint; last_month: bigint }>`
    select coalesce(sum(amount_micros), 0)::bigint as total,
      coalesce(sum(amount_micros) filter (where received_at >= ${thisMonth}), 0)::bigint as this_month,
      coalesce(sum(amount_micros) filter (where received_at >= ${lastMonth} and received_at < ${thisMonth}), 0)::bigint
        as last_month
    from fund_income where member_id = ${memberId}`.execute(db)
  return rows[0]!
}
