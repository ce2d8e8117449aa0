import type { Day } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** The single record that a link shows. */
export type SharedSubject =
  | { readonly kind: 'proof'; readonly day: Day; readonly statementId: null }
  | { readonly kind: 'statement'; readonly day: null; readonly statementId: bigint }

export type ShareRow = SharedSubject & {
  readonly shareId: bigint
  readonly memberId: bigint
  readonly createdAt: Date
  readonly expiresAt: Date
}

const SHARE = sql`share_id as "shareId", member_id as "memberId", kind, day, statement_id as "statementId",
  created_at as "createdAt", expires_at as "expiresAt"`

/** Locks the links of a member until the transaction ends. */
export async function lockSharesOf(dbTx: Db, memberId: bigint): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`shares/${memberId}`}, 0))`.execute(dbTx)
}

export async function insertShare(
  dbTx: Db,
  share: Omit<ShareRow, 'shareId' | keyof SharedSubject> & SharedSubject & { readonly tokenHash: Buffer },
): Promise<bigint> {
  const { rows } = await sql<{ shareId: bigint }>`
    insert into shared_links (member_id, kind, day, statement_id, token_hash, created_at, expires_at)
    values (${share.memberId}, ${share.kind}, ${share.day}, ${share.statementId}, ${share.tokenHash}, ${share.createdAt},
      ${share.expiresAt})
    returning share_id as "shareId"`.execute(dbTx)
  return rows[0]!.shareId
}

/** Returns the links of a member that are open at a time, newest first. */
export async function listOpen(db: Db, memberId: bigint, at: Date): Promise<ShareRow[]> {
  const { rows } = await sql<ShareRow>`
    select ${SHARE} from shared_links
    where member_id = ${memberId} and revoked_at is null and expires_at > ${at} order by share_id desc`.execute(
    db,
  )
  return rows
}

/** Returns the link of a token's hash if it is open at a time. */
export async function findOpen(db: Db, tokenHash: Buffer, at: Date): Promise<ShareRow | undefined> {
  const { rows } = await sql<ShareRow>`
    select ${SHARE} from shared_links
    where token_hash = ${tokenHash} and revoked_at is null and expires_at > ${at}`.execute(db)
  return rows[0]
}

/** Ends an open link of a member. Returns false if there is none. */
export async function revokeShare(db: Db, memberId: bigint, shareId: bigint, at: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update shared_links set revoked_at = ${at}
    where member_id = ${memberId} and share_id = ${shareId} and revoked_at is null and expires_at > ${at}`.execute(
    db,
  )
  return numAffectedRows === 1n
}

/** Deletes links that would have expired before a time. */
export async function removeExpired(db: Db, before: Date): Promise<void> {
  await sql`delete from shared_links where expires_at < ${before}`.execute(db)
}
