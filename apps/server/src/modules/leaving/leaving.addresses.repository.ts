import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { TEAM_LABELS } from '../members/members.relations.ts'

/** An address that a member has saved or sent to. */
export interface ContactRow {
  readonly address: string
  readonly label: string | null
  readonly saved_at: Date | null
  readonly last_sent_at: Date | null
}

const CONTACT = ['address', 'label', 'saved_at', 'last_sent_at'] as const

/** Returns a member's whole address book. */
export function contactsOf(db: Db, memberId: bigint): Promise<ContactRow[]> {
  return db.selectFrom('address_book').select(CONTACT).where('member_id', '=', memberId).execute()
}

/** Returns the addresses that a member saved, sorted by name. */
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

/** Saves an address, or renames a saved one, which keeps the time at which it was saved. */
export async function upsertLabel(
  dbTx: Db,
  memberId: bigint,
  { address, label, at }: { address: string; label: string; at: Date },
): Promise<void> {
  await sql`
    insert into address_book as book (member_id, address, label, saved_at)
    values (${memberId}, ${address}, ${label}, ${at})
    on conflict (member_id, address)
      do update set label = excluded.label, saved_at = coalesce(book.saved_at, excluded.saved_at)`.execute(
    dbTx,
  )
}

/**
 * Records the time of a payment to an address, unless a later one is recorded. Returns the member's name for
 * it.
 */
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

/**
 * Returns the rows of members' own names for an address: from the address book, otherwise its owner's name as
 * a team member.
 */
export const labelOf =
  (address: string, ownerId: bigint | undefined) =>
  (memberIds: RawBuilder<bigint[]>): RawBuilder<unknown> =>
    sql`
    select asked.member_id, to_jsonb(coalesce(book.label, team.label)) as value
    from unnest(${memberIds}) as asked (member_id)
    left join (select member_id, label from address_book
      where member_id = any(${memberIds}) and address = ${address}) as book using (member_id)
    left join (select member_id, label from ${TEAM_LABELS} as labels
      where member_id = any(${memberIds})
        and about_id = ${ownerId ?? null}::bigint) as team using (member_id)`

/** Removes a saved address. Deletes its row when nothing was sent to it. */
export async function removeContactLabel(dbTx: Db, memberId: bigint, address: string): Promise<void> {
  await dbTx
    .deleteFrom('address_book')
    .where('member_id', '=', memberId)
    .where('address', '=', address)
    .where('last_sent_at', 'is', null)
    .execute()
  await dbTx
    .updateTable('address_book')
    .set({ label: null, saved_at: null })
    .where('member_id', '=', memberId)
    .where('address', '=', address)
    .execute()
}

/** The stored switch "saved addresses only". */
export interface SwitchRow {
  readonly on_since: Date
  readonly off_from: Date | null
}

export function switchOf(db: Db, memberId: bigint): Promise<SwitchRow | undefined> {
  return db
    .selectFrom('saved_only_switches')
    .select(['on_since', 'off_from'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

export async function putSwitch(
  dbTx: Db,
  memberId: bigint,
  { on_since, off_from }: SwitchRow,
): Promise<void> {
  await sql`
    insert into saved_only_switches (member_id, on_since, off_from) values (${memberId}, ${on_since}, ${off_from})
    on conflict (member_id) do update set on_since = excluded.on_since, off_from = excluded.off_from`.execute(
    dbTx,
  )
}

/** Returns the addresses that some members saved, in lower case. */
export async function addressesSavedBy(db: Db, memberIds: readonly bigint[]): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from address_book
    where member_id = any (${memberIds}) and label is not null`.execute(db)
  return rows.map(({ address }) => address)
}
