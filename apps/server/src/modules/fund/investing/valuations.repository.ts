import type { Micros } from '@rif/rules'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { FundValuations } from '../../../db/types.gen.ts'

/** A valuation or a divestment; the schema describes the columns. */
export type ValuationRow = Selectable<FundValuations>

/** Returns undefined if another valuation uses the deposit: also one that another transaction has just written. */
export async function insertValuation(
  dbTx: Db,
  valuation: Insertable<FundValuations>,
  lines: readonly { readonly investmentId: bigint; readonly valueMicros: Micros }[],
): Promise<ValuationRow | undefined> {
  const row = await dbTx
    .insertInto('fund_valuations')
    .values(valuation)
    .onConflict((conflict) =>
      conflict
        .column('deposit_id')
        .where('deposit_id', 'is not', null)
        .where('state', 'in', [sql.lit('proposed' as const), sql.lit('applied' as const)])
        .doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (lines.length > 0) {
    await dbTx
      .insertInto('fund_valuation_lines')
      .values(
        lines.map(({ investmentId, valueMicros }) => ({
          valuation_id: row.valuation_id,
          investment_id: investmentId,
          value_micros: valueMicros,
        })),
      )
      .execute()
  }
  return row
}

export async function findValuation(db: Db, valuationId: bigint): Promise<ValuationRow | undefined> {
  return db
    .selectFrom('fund_valuations')
    .selectAll()
    .where('valuation_id', '=', valuationId)
    .executeTakeFirst()
}

/** Returns the proposed valuation of a product, even if it has lapsed in the meantime. */
export async function proposedValuation(db: Db, productId: bigint): Promise<ValuationRow | undefined> {
  return db
    .selectFrom('fund_valuations')
    .selectAll()
    .where('product_id', '=', productId)
    .where('state', '=', 'proposed')
    .executeTakeFirst()
}

export async function updateValuation(
  dbTx: Db,
  valuationId: bigint,
  changes: Pick<Updateable<FundValuations>, 'state' | 'decided_by' | 'decided_at' | 'nav_micros'>,
): Promise<ValuationRow> {
  return dbTx
    .updateTable('fund_valuations')
    .set(changes)
    .where('valuation_id', '=', valuationId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Ends divestments with a deposit that were not approved in time, so that another one can use the deposit.
 */
export async function lapseReturns(dbTx: Db, depositId: string, at: Date): Promise<void> {
  await dbTx
    .updateTable('fund_valuations')
    .set({ state: 'lapsed', decided_at: sql`lapses_at` })
    .where('deposit_id', '=', depositId)
    .where('state', '=', 'proposed')
    .where('lapses_at', '<=', at)
    .execute()
}

/** Returns the values that a valuation gives the investments. */
export async function valuationLinesOf(
  db: Db,
  valuationId: bigint,
): Promise<{ investment_id: bigint; value_micros: bigint }[]> {
  return db
    .selectFrom('fund_valuation_lines')
    .select(['investment_id', 'value_micros'])
    .where('valuation_id', '=', valuationId)
    .execute()
}

/** Returns a product's valuations that are in force, newest first. */
export async function appliedValuations(db: Db, productId: bigint, limit: number): Promise<ValuationRow[]> {
  return db
    .selectFrom('fund_valuations')
    .selectAll()
    .where('product_id', '=', productId)
    .where('state', '=', 'applied')
    .orderBy('valuation_id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the divestment whose cash a deposit brought; undefined if none is in force. */
export async function divestmentOf(db: Db, depositId: string): Promise<ValuationRow | undefined> {
  return db
    .selectFrom('fund_valuations')
    .selectAll()
    .where('deposit_id', '=', depositId)
    .where('state', '=', 'applied')
    .executeTakeFirst()
}

/** Returns the end of an admin's last valuation that was rejected or lapsed; null for none. */
export async function lastFailed(db: Db, preparedBy: string, at: Date): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`
    select max(case state when 'proposed' then lapses_at else decided_at end) as at from fund_valuations
    where prepared_by = ${preparedBy}
      and (state in ('rejected', 'lapsed') or state = 'proposed' and lapses_at <= ${at})`.execute(db)
  return rows[0]!.at
}

/** Reports whether a proposed valuation of a product stops dealing at a time. */
export async function isStopping(db: Db, productId: bigint, at: Date): Promise<boolean> {
  const proposed = await proposedValuation(db, productId)
  return proposed?.stops_dealing === true && proposed.lapses_at > at
}

/** Returns the products whose dealing a proposed valuation stops at a time. */
export async function stoppedProducts(db: Db, at: Date): Promise<ReadonlySet<bigint>> {
  const rows = await db
    .selectFrom('fund_valuations')
    .select('product_id')
    .where('state', '=', 'proposed')
    .where('stops_dealing', '=', true)
    .where('lapses_at', '>', at)
    .execute()
  return new Set(rows.map(({ product_id }) => product_id))
}
