import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The last of the own transactions that a member has seen, and when. */
export interface MemberVisit {
  readonly seenSeq: bigint
  readonly seenAt: Date
}

export async function visitOf(db: Db, memberId: bigint): Promise<MemberVisit | undefined> {
  const row = await db
    .selectFrom('member_visits')
    .select(['seen_seq as seenSeq', 'seen_at as seenAt'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row
}

/** Records a visit. Of two concurrent devices the later position counts. */
export async function noteVisit(db: Db, memberId: bigint, seenSeq: bigint, at: Date): Promise<void> {
  await sql`
    insert into member_visits as visit (member_id, seen_seq, seen_at) values (${memberId}, ${seenSeq}, ${at})
    on conflict (member_id) do update
    set seen_seq = greatest(visit.seen_seq, excluded.seen_seq), seen_at = excluded.seen_at`.execute(db)
}
