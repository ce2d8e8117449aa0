import type { Micros } from '@rif/rules'
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { FundInvestments } from '../../../db/types.gen.ts'

/** A placement of a product's money; the schema describes the columns. */
export type InvestmentRow = Selectable<FundInvestments>

export async function insertInvestment(
  dbTx: Db,
  investment: Insertable<FundInvestments>,
): Promise<InvestmentRow> {
  return dbTx.insertInto('fund_investments').values(investment).returningAll().executeTakeFirstOrThrow()
}

export async function findInvestment(db: Db, investmentId: bigint): Promise<InvestmentRow | undefined> {
  return db
    .selectFrom('fund_investments')
    .selectAll()
    .where('investment_id', '=', investmentId)
    .executeTakeFirst()
}

export async function updateInvestment(
  dbTx: Db,
  investmentId: bigint,
  changes: Updateable<FundInvestments>,
): Promise<InvestmentRow> {
  return dbTx
    .updateTable('fund_investments')
    .set(changes)
    .where('investment_id', '=', investmentId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the investments of a product in some states, oldest first. */
export async function investmentsOf(
  db: Db,
  productId: bigint,
  states: readonly InvestmentRow['state'][],
): Promise<InvestmentRow[]> {
  return db
    .selectFrom('fund_investments')
    .selectAll()
    .where('product_id', '=', productId)
    .where('state', 'in', states)
    .orderBy('investment_id')
    .execute()
}

/**
 * Returns the investments that a valuation of a product covers: the invested ones or, if none is left, the
 * ended ones, which a recovery brings back.
 */
export async function valuedInvestments(db: Db, productId: bigint): Promise<InvestmentRow[]> {
  const invested = await investmentsOf(db, productId, ['invested'])
  return invested.length > 0 ? invested : investmentsOf(db, productId, ['ended'])
}

/** Stores the values of investments. If nothing is invested any more, they have ended. */
export async function writeValues(
  dbTx: Db,
  values: readonly { readonly investment_id: bigint; readonly value_micros: Micros }[],
  { isInvested, at }: { isInvested: boolean; at: Date },
): Promise<void> {
  for (const { investment_id, value_micros } of values) {
    const ended_at = isInvested ? null : at
    const state = isInvested ? 'invested' : 'ended'
    await updateInvestment(dbTx, investment_id, { value_micros, state, ended_at })
  }
}
