import { type Insertable, type RawBuilder, sql } from 'kysely'
import type { ChainEvent, EventPlace } from '../../../chain/indexer/events.ts'
import type { Db } from '../../../db/database.ts'
import type { UnmatchedPayments } from '../../../db/types.gen.ts'

export async function insertUnmatchedPayment(
  dbTx: Db,
  payment: Insertable<UnmatchedPayments>,
): Promise<void> {
  await dbTx
    .insertInto('unmatched_payments')
    .values(payment)
    .onConflict((conflict) => conflict.columns(['member_id', 'tx_hash', 'log_index']).doNothing())
    .execute()
}

/** A payment that matched no order. */
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

/** A payment in `suspense`, or released from it, with its position on chain. */
export type PlacedPayment = SuspendedPayment & Key

/** Returns the payment in `suspense` for the event at a position. */
export const findByPlace = (
  db: Db,
  { txHash, logIndex }: Pick<EventPlace, 'txHash' | 'logIndex'>,
): Promise<PlacedPayment | undefined> => findPlaced(db, sql`tx_hash = ${txHash} and log_index = ${logIndex}`)

/**
 * Returns the payment in `suspense` of an event or, after a reorganisation, of the same transaction in
 * another block, where the event may have another position.
 */
export const findSame = (
  db: Db,
  { txHash, args }: Pick<ChainEvent<'OrderPaid'>, 'txHash' | 'args'>,
): Promise<PlacedPayment | undefined> =>
  findPlaced(
    db,
    sql`tx_hash = ${txHash} and chain_order_id = ${`${args.orderId}`} and payer = ${args.payer.toLowerCase()}`,
  )

async function findPlaced(db: Db, condition: RawBuilder<unknown>): Promise<PlacedPayment | undefined> {
  const { rows } = await sql<Key>`
    select member_id as "memberId", tx_hash as "txHash", log_index as "logIndex" from unmatched_payments
    where ${condition} order by log_index limit 1`.execute(db)
  const [key] = rows
  return key === undefined ? undefined : { ...key, ...(await findSuspended(db, key))! }
}

/** Deletes an unmatched payment whose event was undone. */
export async function deleteUnmatchedPayment(
  dbTx: Db,
  { txHash, logIndex }: Omit<Key, 'memberId'>,
): Promise<void> {
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
