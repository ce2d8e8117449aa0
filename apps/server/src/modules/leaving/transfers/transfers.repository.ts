import type { PaymentAsset } from '@rif/rules'
import { type Selectable, sql, type Updateable } from 'kysely'
import { noteChange, OPERATORS } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'
import { nextIdRead } from '../../../db/read.ts'
import { insertNumbered } from '../../../db/rows.ts'
import type { Transfers } from '../../../db/types.gen.ts'

/** A stored side of a transfer. */
export type TransferRow = Selectable<Transfers>

/** A filter of a member's transfers: created at or after `from` and before `before`. */
export interface TransferFilter {
  readonly direction?: 'in' | 'out' | undefined
  readonly asset?: PaymentAsset | undefined
  readonly counterpartId?: bigint | undefined
  readonly from?: Date | undefined
  readonly before?: Date | undefined
}

/** A position in a list: the time of creation in milliseconds, and the number. */
export type TransferPlace = readonly [createdAtMs: bigint, transferId: bigint]

/** Returns the read of the number of the next transfer. */
export const nextTransferRead = nextIdRead('transfers', 'transfer_id')

/** Stores one side or both of a transfer under a number of `nextTransferRead`. */
export async function insertSides(dbTx: Db, ...sides: readonly TransferRow[]): Promise<void> {
  // A review sets what is left out.
  const rows = sides.map(({ reviewed_at, reviewed_by, review_reason, ...side }) => side)
  await insertNumbered(dbTx, 'transfers', ...rows)
}

/** Returns a member's transfers, newest first. */
export async function listTransfers(
  db: Db,
  memberId: bigint,
  filter: TransferFilter,
  page: { readonly before: TransferPlace | undefined; readonly limit: number },
): Promise<TransferRow[]> {
  let query = db.selectFrom('transfers').selectAll().where('member_id', '=', memberId)
  if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction)
  if (filter.asset !== undefined) query = query.where('asset', '=', filter.asset)
  if (filter.counterpartId !== undefined) query = query.where('counterpart_id', '=', filter.counterpartId)
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from)
  if (filter.before !== undefined) query = query.where('created_at', '<', filter.before)
  if (page.before !== undefined) {
    const [createdAtMs, transferId] = page.before
    const place = sql<boolean>`(created_at, transfer_id) < (${new Date(Number(createdAtMs))}, ${transferId})`
    query = query.where(place)
  }
  return query.orderBy('created_at', 'desc').orderBy('transfer_id', 'desc').limit(page.limit).execute()
}

export async function findTransfer(
  db: Db,
  memberId: bigint,
  transferId: bigint,
): Promise<TransferRow | undefined> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('transfer_id', '=', transferId)
    .executeTakeFirst()
}

/** Returns the other members of a member's transfers. */
export async function counterpartsOf(
  db: Db,
  memberId: bigint,
  transferIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, bigint>> {
  if (transferIds.length === 0) return new Map()
  const { rows } = await sql<{ transferId: bigint; counterpartId: bigint }>`
    select transfer_id as "transferId", counterpart_id as "counterpartId" from transfers
    where member_id = ${memberId} and transfer_id = any(${transferIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.transferId, row.counterpartId]))
}

/** Ends the hold of a sent transfer; the caller holds the sender's head. */
export async function endHold(
  dbTx: Db,
  { member_id, transfer_id }: Pick<TransferRow, 'member_id' | 'transfer_id'>,
  changes: Updateable<Transfers>,
): Promise<TransferRow> {
  noteChange(dbTx, member_id, 'transfer')
  noteChange(dbTx, OPERATORS, 'queue')
  return dbTx
    .updateTable('transfers')
    .set(changes)
    .where('member_id', '=', member_id)
    .where('transfer_id', '=', transfer_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the other member of a transfer. */
export async function counterpartOf(
  db: Db,
  memberId: bigint,
  transferId: bigint,
): Promise<bigint | undefined> {
  const row = await db
    .selectFrom('transfers')
    .select('counterpart_id')
    .where('member_id', '=', memberId)
    .where('transfer_id', '=', transferId)
    .executeTakeFirst()
  return row?.counterpart_id
}
