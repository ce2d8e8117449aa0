import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A member's note about an address, which is in lower case. */
export interface Note {
  readonly address: string
  readonly note: string
}

/** Returns all notes of a member. */
export function allNotes(db: Db, memberId: bigint): Promise<Note[]> {
  return db
    .selectFrom('address_notes')
    .select(['address', 'note'])
    .where('member_id', '=', memberId)
    .orderBy('address')
    .execute()
}

/** Returns the members whose wallets a member's notes are about, where a note contains a text, ignoring case. */
export async function notesContaining(db: Db, memberId: bigint, text: string): Promise<bigint[]> {
  const { rows } = await sql<{ aboutId: bigint }>`
    select members.member_id as "aboutId" from address_notes join members using (address)
    where address_notes.member_id = ${memberId} and position(lower(${text}) in lower(note)) > 0`.execute(db)
  return rows.map((row) => row.aboutId)
}

/** Writes a note. Returns false if that would exceed `most` notes. */
export async function putNote(
  db: Db,
  memberId: bigint,
  { address, note, at, most }: Note & { at: Date; most: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into address_notes as old (member_id, address, note, changed_at)
    select ${memberId}::bigint, ${address}::text, ${note}::text, ${at}::timestamptz
    where exists (select 1 from address_notes where member_id = ${memberId} and address = ${address})
      or (select count(*) from address_notes where member_id = ${memberId}) < ${most}
    on conflict (member_id, address) do update set note = excluded.note, changed_at = excluded.changed_at
    returning address`.execute(db)
  return rows.length === 1
}

export async function removeNote(db: Db, memberId: bigint, address: string): Promise<void> {
  await db
    .deleteFrom('address_notes')
    .where('member_id', '=', memberId)
    .where('address', '=', address)
    .execute()
}
