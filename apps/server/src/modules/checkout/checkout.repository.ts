import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { UnmatchedPayments } from '../../db/types.gen.ts'

export async function insertUnmatched(dbTx: Db, payment: Insertable<UnmatchedPayments>): Promise<void> {
  await dbTx
    .insertInto('unmatched_payments')
    .values(payment)
    .onConflict((conflict) => conflict.columns(['member_id', 'tx_hash', 'log_index']).doNothing())
    .execute()
}

/** A payment that fitted no order. */
export interface SuspendedPayment {
  /** In lower case. */
  readonly payer: string
  readonly usdtMicros: bigint
  readonly amcMicros: bigint
  readonly isReleased: boolean
}

interface Key {
  readonly memberId: bigint
  readonly txHash: string
  readonly logIndex: number
}

export async function findSuspended(
  db: Db,
  { memberId, txHash, logIndex }: Key,
): Promise<SuspendedPayment | undefined> {
  const { rows } = await sql<SuspendedPayment>`
    select payer, usdt_micros as "usdtMicros", amc_micros as "amcMicros",
      exists (select from suspense_releases as r where r.member_id = u.member_id and r.tx_hash = u.tx_hash
        and r.log_index = u.log_index) as "isReleased"
    from unmatched_payments as u
    where member_id = ${memberId} and tx_hash = ${txHash} and log_index = ${logIndex}`.execute(db)
  return rows[0]
}

export async function insertRelease(
  dbTx: Db,
  { memberId, txHash, logIndex }: Key,
  { toMemberId, actor, at }: { toMemberId: bigint; actor: string; at: Date },
): Promise<void> {
  await sql`
    insert into suspense_releases (member_id, tx_hash, log_index, to_member_id, released_by, released_at)
    values (${memberId}, ${txHash}, ${logIndex}, ${toMemberId}, ${actor}, ${at})`.execute(dbTx)
}

/** Returns the unmatched payment of an event. */
export async function findByPlace(
  db: Db,
  { txHash, logIndex }: Omit<Key, 'memberId'>,
): Promise<(SuspendedPayment & { memberId: bigint }) | undefined> {
  const { rows } = await sql<{ memberId: bigint }>`
    select member_id as "memberId" from unmatched_payments
    where tx_hash = ${txHash} and log_index = ${logIndex}`.execute(db)
  const memberId = rows[0]?.memberId
  if (memberId === undefined) return undefined
  return { memberId, ...(await findSuspended(db, { memberId, txHash, logIndex }))! }
}

/** Deletes an unmatched payment whose event was undone. */
export async function deleteUnmatched(dbTx: Db, { txHash, logIndex }: Omit<Key, 'memberId'>): Promise<void> {
  await sql`select delete_undone_payment(${txHash}, ${logIndex})`.execute(dbTx)
}

/** Reports whether a payment of an order by a payer went to `suspense`. */
export async function wasSuspended(db: Db, chainOrderId: bigint, payer: string): Promise<boolean> {
  const { rows } = await sql`
    select from unmatched_payments where chain_order_id = ${`${chainOrderId}`} and payer = ${payer} limit 1`.execute(
    db,
  )
  return rows.length > 0
}
