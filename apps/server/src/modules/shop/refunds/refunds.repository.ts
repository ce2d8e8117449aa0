import type { Micros, PaymentAsset } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The payment in `suspense` that was released. */
export interface ReleasedPayment {
  readonly txHash: string
  readonly logIndex: number
}

/** A free release to its payer, in one asset. */
export interface Allowance extends ReleasedPayment {
  readonly memberId: bigint
  readonly asset: PaymentAsset
  readonly amountMicros: Micros
  readonly at: Date
}

export async function insertAllowance(dbTx: Db, allowance: Allowance): Promise<void> {
  const { memberId, txHash, logIndex, asset, amountMicros, at } = allowance
  await sql`
    insert into refund_allowances (member_id, tx_hash, log_index, asset, amount_micros, released_at)
    values (${memberId}, ${txHash}, ${logIndex}, ${asset}, ${amountMicros}, ${at})`.execute(dbTx)
}

/** Returns the member whom a payment was refunded to free; undefined if it was not. */
export async function ownerOf(db: Db, { txHash, logIndex }: ReleasedPayment): Promise<bigint | undefined> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from refund_allowances
    where tx_hash = ${txHash} and log_index = ${logIndex} limit 1`.execute(db)
  return rows[0]?.memberId
}

/** Sets since when a payment is lost; null when it has arrived again. */
export async function markLost(
  dbTx: Db,
  { txHash, logIndex }: ReleasedPayment,
  lostAt: Date | null,
): Promise<void> {
  await sql`
    update refund_allowances set lost_at = ${lostAt}
    where tx_hash = ${txHash} and log_index = ${logIndex}`.execute(dbTx)
}

/** An allowance, with the amount that is left of it. */
export interface Left {
  readonly allowanceId: bigint
  readonly asset: PaymentAsset
  readonly leftMicros: Micros
}

/** Returns what is left of a member's allowances, oldest first. */
export async function leftOf(db: Db, memberId: bigint): Promise<Left[]> {
  const { rows } = await sql<Left>`
    select allowance_id as "allowanceId", asset, amount_micros - coalesce((
      select sum(u.amount_micros)::bigint from refund_uses as u
      where u.member_id = a.member_id and u.allowance_id = a.allowance_id), 0) as "leftMicros"
    from refund_allowances as a where member_id = ${memberId} and lost_at is null
    order by released_at, allowance_id`.execute(db)
  return rows
}

export async function insertUse(
  dbTx: Db,
  use: { memberId: bigint; withdrawalId: bigint; allowanceId: bigint; amountMicros: Micros },
): Promise<void> {
  await sql`
    insert into refund_uses (member_id, withdrawal_id, allowance_id, amount_micros)
    values (${use.memberId}, ${use.withdrawalId}, ${use.allowanceId}, ${use.amountMicros})`.execute(dbTx)
}

export async function deleteUses(dbTx: Db, memberId: bigint, withdrawalId: bigint): Promise<void> {
  await sql`
    delete from refund_uses where member_id = ${memberId} and withdrawal_id = ${withdrawalId}`.execute(dbTx)
}
