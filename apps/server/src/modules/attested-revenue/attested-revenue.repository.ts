import type { Day, Micros } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** The pools that attested revenue fills, and nothing else does; `fund_proceeds` is that of one product. Rules, sections 2 and 8. */
export type AttestedPool = 'yield_pool' | 'savings_pool' | 'dividend_pool' | 'fund_proceeds'

/** A final deposit of revenue, with its attestation once that was approved. */
export interface DepositRow {
  readonly depositId: string
  readonly depositor: string
  /** 32 bytes as the depositor gave them. */
  readonly label: string
  readonly asset: 'USDT' | 'AMC'
  readonly amountMicros: Micros
  readonly documentHash: string
  readonly txHash: string
  readonly depositedAt: Date
  readonly pool: AttestedPool | null
  readonly productName: string | null
  readonly source: string | null
  readonly day: Day | null
}

/** Deposits that can be attested or were, newest first: those that brought a micro-unit at least. */
export async function deposits(
  db: Db,
  { before, limit }: { before?: bigint | undefined; limit: number },
): Promise<DepositRow[]> {
  const { rows } = await sql<DepositRow>`
    select d.deposit_id as "depositId", depositor, label, d.asset, d.amount_micros as "amountMicros",
      d.document_hash as "documentHash", tx_hash as "txHash", deposited_at as "depositedAt", pool,
      p.name as "productName", source, (a.approved_at at time zone 'UTC')::date as day
    from revenue_deposits as d
      left join attestations as a on a.deposit_id = d.deposit_id and a.approved_at is not null
      left join fund_products as p using (product_id)
    where d.amount_micros > 0 and (${before === undefined ? null : `${before}`}::numeric is null
      or d.deposit_id::numeric < ${before === undefined ? null : `${before}`}::numeric)
    order by d.deposit_id::numeric desc limit ${limit}`.execute(db)
  return rows
}

/** How many deposits no attestation was approved of. */
export async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from revenue_deposits as d
    where amount_micros > 0 and not exists (
      select from attestations as a where a.deposit_id = d.deposit_id and a.approved_at is not null)`.execute(
    db,
  )
  return rows[0]!.waiting
}
