import { randomBytes } from 'node:crypto'
import { NOTICE_KINDS } from '@rif/api-schema'
import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/**
 * Gives a member a confirmed address and every kind of notice. Returns a function that reads the member's
 * notices, oldest first.
 */
export async function subscribed(db: Db, memberId: bigint) {
  await sql`
    with member as (
      insert into notice_members (member_id, mail, push, locale, changed_at)
      values (${memberId}, ${Object.keys(NOTICE_KINDS)}::text[], '{}', 'en', now()) returning member_id
    ) insert into notice_emails (member_id, sealed, address_hash, created_at, confirmed_at)
    select member_id, ${randomBytes(60)}, ${randomBytes(32)}, now(), now() from member`.execute(db)
  return () =>
    db
      .selectFrom('notices')
      .select(['topic', 'facts'])
      .where('member_id', '=', memberId)
      .orderBy('notice_id')
      .execute()
}
