import type { WalletAsset } from '@rif/api-schema'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { noteChange } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import type { WalletSends } from '../../../db/types.gen.ts'

/** A stored send; the schema describes the columns. */
export type SendRow = Selectable<WalletSends>

const OPEN = ['Sent', 'Confirming'] as const

/** Inserts a send. Returns undefined if its hash exists. */
export async function insertSend(db: Db, send: Insertable<WalletSends>): Promise<SendRow | undefined> {
  noteChange(db, BigInt(send.member_id), 'send')
  return db
    .insertInto('wallet_sends')
    .values(send)
    .onConflict((conflict) => conflict.columns(['member_id', 'first_hash']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns a member's send by the reported hash or by the hash that took effect. */
export async function findSend(db: Db, memberId: bigint, hash: string): Promise<SendRow | undefined> {
  return db
    .selectFrom('wallet_sends')
    .selectAll()
    .where('member_id', '=', memberId)
    .where((or) => or.or([or('first_hash', '=', hash), or('tx_hash', '=', hash)]))
    .orderBy('send_id')
    .limit(1)
    .executeTakeFirst()
}

export async function countOpenSends(db: Db, memberId: bigint): Promise<number> {
  const row = await db
    .selectFrom('wallet_sends')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('member_id', '=', memberId)
    .where('status', 'in', OPEN)
    .executeTakeFirstOrThrow()
  return row.count
}

/** Returns the open sends whose next check is due. */
export async function dueSends(db: Db, at: Date, limit: number): Promise<SendRow[]> {
  return db
    .selectFrom('wallet_sends')
    .selectAll()
    .where('status', 'in', OPEN)
    .where('look_at', '<=', at)
    .orderBy('look_at')
    .limit(limit)
    .execute()
}

/** Updates a send if it is open and its hash is unchanged. Returns whether it was updated. */
export async function updateOpen(db: Db, seen: SendRow, changes: Updateable<WalletSends>): Promise<boolean> {
  // Each check may have found more confirmations.
  if (changes.status !== undefined) noteChange(db, seen.member_id, 'send')
  const updated = await db
    .updateTable('wallet_sends')
    .set(changes)
    .where('member_id', '=', seen.member_id)
    .where('send_id', '=', seen.send_id)
    .where('status', 'in', OPEN)
    .where('tx_hash', '=', seen.tx_hash)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

/** Deletes a report that is not a send. */
export async function deleteSend(db: Db, send: SendRow): Promise<void> {
  await db
    .deleteFrom('wallet_sends')
    .where('member_id', '=', send.member_id)
    .where('send_id', '=', send.send_id)
    .execute()
}

/** Returns a member's sends before an id, newest first. */
export async function sendsBefore(
  db: Db,
  memberId: bigint,
  { beforeId, limit, asset, direction }: MoveFilter & { beforeId: bigint; limit: number },
): Promise<SendRow[]> {
  if (direction === 'in') return []
  const ofMember = db
    .selectFrom('wallet_sends')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('send_id', '<', beforeId)
  return (asset === undefined ? ofMember : ofMember.where('asset', '=', asset))
    .orderBy('send_id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the transactions among the given ones that the member reported as sends. */
export async function reportedHashes(
  db: Db,
  memberId: bigint,
  hashes: readonly string[],
): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await db
    .selectFrom('wallet_sends')
    .select('tx_hash')
    .where('member_id', '=', memberId)
    .where('tx_hash', 'in', hashes)
    .execute()
  return new Set(rows.map((row) => row.tx_hash))
}

/** A filter of a wallet's movements. */
export interface MoveFilter {
  readonly asset?: WalletAsset | undefined
  readonly direction?: 'in' | 'out' | undefined
}

/** Returns the members who sent something to an address (lower case) directly, with the number of successful sends. */
export async function sendersTo(db: Db, address: string): Promise<ReadonlyMap<bigint, number>> {
  const { rows } = await sql<{ memberId: bigint; sends: number }>`
    select member_id as "memberId", count(*)::integer as sends from wallet_sends
    where to_address = ${address} and not by_contract and status = 'Success' group by member_id`.execute(db)
  return new Map(rows.map(({ memberId, sends }) => [memberId, sends]))
}

/**
 * Returns the amounts that a member sent directly, without the transfer contract, by UTC day and token, in
 * base units.
 */
export async function sentSince(
  db: Db,
  memberId: bigint,
  since: Date,
): Promise<{ day: string; asset: 'USDT' | 'AMC'; units: bigint }[]> {
  const { rows } = await sql<{ day: string; asset: 'USDT' | 'AMC'; units: string }>`
    select (block_at at time zone 'UTC')::date as day, asset, sum(amount_units)::text as units from wallet_sends
    where member_id = ${memberId} and status in ('Confirming', 'Success') and not by_contract
      and asset in ('USDT', 'AMC') and block_at >= ${since}
    group by 1, 2 order by 1, 2`.execute(db)
  return rows.map((row) => ({ ...row, units: BigInt(row.units) }))
}
