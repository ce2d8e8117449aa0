import type { PaymentAsset } from '@rif/rules'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Transfers } from '../../db/types.gen.ts'

/** One side of a transfer as it is stored. */
export type TransferRow = Selectable<Transfers>

/** A filter of a member's transfers: created at or after `from` and before `before`. */
export interface TransferFilter {
  readonly direction?: 'in' | 'out' | undefined
  readonly asset?: PaymentAsset | undefined
  readonly counterpartId?: bigint | undefined
  readonly from?: Date | undefined
  readonly before?: Date | undefined
}

/** Inserts one side. Without an id, the database assigns one. */
export async function insertTransfer(dbTx: Db, side: Insertable<Transfers>): Promise<TransferRow> {
  return dbTx.insertInto('transfers').values(side).returningAll().executeTakeFirstOrThrow()
}

/** Returns a member's transfers, newest first. */
export async function listTransfers(
  db: Db,
  memberId: bigint,
  filter: TransferFilter,
  page: { readonly beforeId: bigint | undefined; readonly limit: number },
): Promise<TransferRow[]> {
  let query = db.selectFrom('transfers').selectAll().where('member_id', '=', memberId)
  if (filter.direction !== undefined) query = query.where('direction', '=', filter.direction)
  if (filter.asset !== undefined) query = query.where('asset', '=', filter.asset)
  if (filter.counterpartId !== undefined) query = query.where('counterpart_id', '=', filter.counterpartId)
  if (filter.from !== undefined) query = query.where('created_at', '>=', filter.from)
  if (filter.before !== undefined) query = query.where('created_at', '<', filter.before)
  if (page.beforeId !== undefined) query = query.where('transfer_id', '<', page.beforeId)
  return query.orderBy('transfer_id', 'desc').limit(page.limit).execute()
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

/** An address that a member has named or sent to. */
export interface ContactRow {
  readonly address: string
  readonly label: string | null
  readonly last_sent_at: Date | null
}

const CONTACT = ['address', 'label', 'last_sent_at'] as const

/** Returns a member's whole address book. */
export function contactsOf(db: Db, memberId: bigint): Promise<ContactRow[]> {
  return db.selectFrom('address_book').select(CONTACT).where('member_id', '=', memberId).execute()
}

/** Returns entries of a member's address book. */
export function contactsAt(db: Db, memberId: bigint, addresses: readonly string[]): Promise<ContactRow[]> {
  return db
    .selectFrom('address_book')
    .select(CONTACT)
    .where('member_id', '=', memberId)
    .where('address', 'in', addresses.length > 0 ? addresses : [''])
    .execute()
}

/** Returns the addresses that a member named, sorted by name. */
export function savedContacts(db: Db, memberId: bigint): Promise<ContactRow[]> {
  return db
    .selectFrom('address_book')
    .select(CONTACT)
    .where('member_id', '=', memberId)
    .where('label', 'is not', null)
    .orderBy(sql`lower(label)`)
    .orderBy('address')
    .execute()
}

/** Returns the addresses that a member sent to last. */
export function recentContacts(db: Db, memberId: bigint, limit: number): Promise<ContactRow[]> {
  return db
    .selectFrom('address_book')
    .select(CONTACT)
    .where('member_id', '=', memberId)
    .where('last_sent_at', 'is not', null)
    .orderBy('last_sent_at', 'desc')
    .limit(limit)
    .execute()
}

export async function upsertLabel(dbTx: Db, memberId: bigint, address: string, label: string): Promise<void> {
  await dbTx
    .insertInto('address_book')
    .values({ member_id: memberId, address, label })
    .onConflict((conflict) => conflict.columns(['member_id', 'address']).doUpdateSet({ label }))
    .execute()
}

/** Records the time of a payment to an address, unless a later one is recorded. Returns the member's name of it. */
export async function upsertSent(
  dbTx: Db,
  memberId: bigint,
  address: string,
  at: Date,
): Promise<string | null> {
  const { rows } = await sql<{ label: string | null }>`
    insert into address_book as book (member_id, address, last_sent_at) values (${memberId}, ${address}, ${at})
    on conflict (member_id, address)
      do update set last_sent_at = greatest(book.last_sent_at, excluded.last_sent_at)
    returning label`.execute(dbTx)
  return rows[0]!.label
}

/** Removes a name. Deletes the address when nothing was sent to it. */
export async function removeLabel(dbTx: Db, memberId: bigint, address: string): Promise<void> {
  await dbTx
    .deleteFrom('address_book')
    .where('member_id', '=', memberId)
    .where('address', '=', address)
    .where('last_sent_at', 'is', null)
    .execute()
  await dbTx
    .updateTable('address_book')
    .set({ label: null })
    .where('member_id', '=', memberId)
    .where('address', '=', address)
    .execute()
}
