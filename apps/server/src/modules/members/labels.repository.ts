import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A member's note about another member. */
export interface Label {
  readonly aboutId: bigint
  /** Empty when only pinned. */
  readonly label: string
  readonly pinned: boolean
}

/** Returns all labels of a member, pins first. */
export async function allLabels(db: Db, memberId: bigint): Promise<Label[]> {
  const { rows } = await sql<Label>`
    select about_id as "aboutId", label, pinned from member_labels
    where member_id = ${memberId} order by pinned desc, lower(label), about_id`.execute(db)
  return rows
}

/** Returns a member's names for some members. */
export async function labelsOf(
  db: Db,
  memberId: bigint,
  aboutIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  if (aboutIds.length === 0) return new Map()
  const { rows } = await sql<{ aboutId: bigint; label: string }>`
    select about_id as "aboutId", label from member_labels
    where member_id = ${memberId} and label <> '' and about_id = any(${aboutIds}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.aboutId, row.label]))
}

/** Returns the members whose labels contain a text, ignoring case. */
export async function labelsContaining(db: Db, memberId: bigint, text: string): Promise<bigint[]> {
  const { rows } = await sql<{ aboutId: bigint }>`
    select about_id as "aboutId" from member_labels
    where member_id = ${memberId} and position(lower(${text}) in lower(label)) > 0`.execute(db)
  return rows.map((row) => row.aboutId)
}

export async function count(db: Db, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from member_labels where member_id = ${memberId}`.execute(db)
  return rows[0]!.count
}

export async function putLabel(db: Db, memberId: bigint, note: Label, at: Date): Promise<void> {
  await sql`
    insert into member_labels (member_id, about_id, label, pinned, changed_at)
    values (${memberId}, ${note.aboutId}, ${note.label}, ${note.pinned}, ${at})
    on conflict (member_id, about_id) do update
    set label = excluded.label, pinned = excluded.pinned, changed_at = excluded.changed_at`.execute(db)
}

export async function removeLabel(db: Db, memberId: bigint, aboutId: bigint): Promise<void> {
  await sql`
    delete from member_labels where member_id = ${memberId} and about_id = ${aboutId}`.execute(db)
}
