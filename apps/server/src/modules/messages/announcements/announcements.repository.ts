import type { AnnouncementTexts } from '@rif/api-schema'
import { sql } from 'kysely'
import { EVERYBODY, noteChange } from '../../../db/changes.ts'
import type { Db } from '../../../db/database.ts'

/** A published announcement. Admins are wallets in lower case. */
export interface AnnouncementRow {
  readonly announcementId: bigint
  readonly texts: AnnouncementTexts
  readonly proposalId: bigint
  readonly proposedBy: string
  readonly approvedBy: string
  readonly publishedAt: Date
  readonly expiresAt: Date | null
  readonly withdrawnBy: string | null
  readonly withdrawnAt: Date | null
  readonly withdrawReason: string | null
}

const COLUMNS = sql`a.announcement_id as "announcementId", a.texts, a.proposal_id as "proposalId",
  a.proposed_by as "proposedBy", a.approved_by as "approvedBy", a.published_at as "publishedAt",
  a.expires_at as "expiresAt", a.withdrawn_by as "withdrawnBy", a.withdrawn_at as "withdrawnAt",
  a.withdraw_reason as "withdrawReason"`

export async function insertAnnouncement(
  dbTx: Db,
  row: Pick<
    AnnouncementRow,
    'texts' | 'proposalId' | 'proposedBy' | 'approvedBy' | 'publishedAt' | 'expiresAt'
  >,
): Promise<bigint> {
  const { texts, proposalId, proposedBy, approvedBy, publishedAt, expiresAt } = row
  noteChange(dbTx, EVERYBODY, 'notice')
  const inserted = await dbTx
    .insertInto('announcements')
    .values({
      texts: JSON.stringify(texts),
      proposal_id: proposalId,
      proposed_by: proposedBy,
      approved_by: approvedBy,
      published_at: publishedAt,
      expires_at: expiresAt,
    })
    .returning('announcement_id')
    .executeTakeFirstOrThrow()
  return inserted.announcement_id
}

/** Withdraws an announcement. Returns false if none is in force under this number. */
export async function withdraw(
  dbTx: Db,
  announcementId: bigint,
  { by, at, reason }: { by: string; at: Date; reason: string },
): Promise<boolean> {
  noteChange(dbTx, EVERYBODY, 'notice')
  const { numUpdatedRows } = await dbTx
    .updateTable('announcements')
    .set({ withdrawn_by: by, withdrawn_at: at, withdraw_reason: reason })
    .where('announcement_id', '=', announcementId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

interface Page {
  /** Only announcements older than this one. */
  readonly before: bigint | undefined
  readonly limit: number
}

/** Lists announcements, newest first; for members without withdrawn ones. */
export async function listAnnouncements(
  db: Db,
  { before, limit, withWithdrawn }: Page & { withWithdrawn: boolean },
): Promise<AnnouncementRow[]> {
  const { rows } = await sql<AnnouncementRow>`
    select ${COLUMNS} from announcements as a
    where (${before ?? null}::bigint is null or a.announcement_id < ${before ?? null}::bigint)
      and (${withWithdrawn} or a.withdrawn_at is null)
    order by a.announcement_id desc limit ${limit}`.execute(db)
  return rows
}

/**
 * Returns the newest announcement that is in force, was published after a time, and was not closed by the
 * member.
 */
export async function findCurrent(
  db: Db,
  memberId: bigint,
  { at, since }: { at: Date; since: Date },
): Promise<AnnouncementRow | undefined> {
  const { rows } = await sql<AnnouncementRow>`
    select ${COLUMNS} from announcements as a
    where a.withdrawn_at is null and (a.expires_at is null or a.expires_at > ${at}) and a.published_at > ${since}
      and not exists (select from announcement_dismissals as d
        where d.announcement_id = a.announcement_id and d.member_id = ${memberId})
    order by a.announcement_id desc limit 1`.execute(db)
  return rows[0]
}

/** Records that a member closed an announcement. Returns false if there is no such announcement. */
export async function insertDismissal(
  db: Db,
  { announcementId, memberId, at }: { announcementId: bigint; memberId: bigint; at: Date },
): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`
    with announcement as (select announcement_id from announcements where announcement_id = ${announcementId}),
    written as (
      insert into announcement_dismissals (announcement_id, member_id, dismissed_at)
      select announcement_id, ${memberId}, ${at} from announcement on conflict do nothing
    )
    select exists (select from announcement) as exists`.execute(db)
  return rows[0]!.exists
}

/** Counts the members who closed announcements. */
export async function dismissalsOf(db: Db, announcementIds: readonly bigint[]): Promise<Map<bigint, number>> {
  const { rows } = await sql<{ id: bigint; count: number }>`
    select announcement_id as id, count(*)::integer as count from announcement_dismissals
    where announcement_id = any (${announcementIds}::bigint[]) group by announcement_id`.execute(db)
  return new Map(rows.map(({ id, count }) => [id, count]))
}
