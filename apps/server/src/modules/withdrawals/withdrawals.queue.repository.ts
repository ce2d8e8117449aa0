import type { AuditReason, Micros, PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A withdrawal under audit; `worth` is in USDT micro-units. */
export interface AuditedRow {
  readonly memberId: bigint
  readonly withdrawalId: bigint
  readonly asset: PaymentAsset
  readonly amount: Micros
  readonly fee: Micros
  readonly worth: Micros
  readonly to: string
  readonly level: number
  readonly reasons: readonly AuditReason[]
  readonly createdAt: Date
}

/** The payouts to a member so far. */
export interface PaidBefore {
  readonly memberId: bigint
  readonly count: number
  readonly most: Micros
  readonly addresses: readonly string[]
}

/** Counts the withdrawals under audit. */
export async function countAudited(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from withdrawals where status = 'Auditing'`.execute(db)
  return rows[0]!.waiting
}

/** Returns withdrawals under audit after a place in the queue, oldest first, at most `limit`. */
export async function auditedRows(
  db: Db,
  {
    after,
    limit,
  }: { after: readonly [createdAtMs: bigint, withdrawalId: bigint] | undefined; limit: number },
): Promise<AuditedRow[]> {
  const from = after === undefined ? null : new Date(Number(after[0]))
  const { rows } = await sql<AuditedRow>`
    select member_id as "memberId", withdrawal_id as "withdrawalId", asset, amount_micros as amount,
      fee_micros as fee, worth_micros as worth, to_address as "to", level, reasons, created_at as "createdAt"
    from withdrawals
    where status = 'Auditing'
      and (${from}::timestamptz is null
        or (date_trunc('milliseconds', created_at), withdrawal_id) > (${from}, ${after?.[1] ?? 0n}))
    order by date_trunc('milliseconds', created_at), withdrawal_id limit ${limit}`.execute(db)
  return rows
}

/** Returns the payouts to some members. */
export async function paidTo(db: Db, memberIds: readonly bigint[]): Promise<Map<bigint, PaidBefore>> {
  const { rows } = await sql<PaidBefore>`
    select member_id as "memberId", count(*)::integer as count, max(worth_micros) as most,
      array_agg(distinct to_address) as addresses
    from withdrawals where status = 'Success' and member_id = any (${memberIds}) group by member_id`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.memberId, row]))
}
