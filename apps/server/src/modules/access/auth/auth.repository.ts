import type { Day, TermsVersion } from '@rif/rules'
import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import { type Read, read } from '../../../db/read.ts'
import type { Caller } from '../../../lib/caller.ts'

/** An open session with the recorded time of its last use. */
export interface FoundSession extends Caller {
  readonly lastUsedAt: Date
}

/** A session in its member's list. */
export interface ListedSession {
  readonly sessionId: bigint
  readonly tokenHash: Buffer
  readonly device: string | null
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
}

/** The read of the key that authenticates nonces. Only the application's login may read it. */
export const nonceKeyRead: Read<Buffer> = read<string, Buffer>(
  () => sql`select null::bigint as member_id, encode(key, 'hex') as value from sign_in_key`,
  (key) => {
    if (key === undefined) throw new Error('the table sign_in_key is empty')
    return Buffer.from(key, 'hex')
  },
)

/** The read of the texts of terms whose hash starts with some bytes: one, or by chance more. */
export const textsRead = (start: Buffer): Read<readonly TermsVersion[]> =>
  read<TermsVersion[], readonly TermsVersion[]>(
    () => sql`
      select null::bigint as member_id,
        json_agg(json_build_object('version', version, 'sha256', encode(sha256, 'hex'))) as value
      from terms_texts where substring(sha256 from 1 for ${start.length}::integer) = ${start}::bytea`,
    (texts) => texts ?? [],
  )

/** The read of whether a nonce was used. */
export const nonceUsedRead = (nonce: string): Read<boolean> =>
  read<string, boolean>(
    () => sql`select null::bigint as member_id, nonce as value from sign_in_nonces where nonce = ${nonce}`,
    (used) => used !== undefined,
  )

/** Uses a nonce. Returns false if it was used before; of two concurrent calls one returns true. */
export async function useNonce(dbTx: Db, nonce: string, expiresAt: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into sign_in_nonces (nonce, expires_at) values (${nonce}, ${expiresAt})
    on conflict (nonce) do nothing returning nonce`.execute(dbTx)
  return rows.length > 0
}

export async function insertSession(
  dbTx: Db,
  session: Caller & { device: string | null; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql`
  insert into sessions (token_hash, member_id, address, leaves_only, device, created_at, last_used_at, expires_at)
  values (${session.tokenHash}, ${session.memberId}, ${session.address}, ${session.leavesOnly}, ${session.device},
    ${session.createdAt}, ${session.createdAt}, ${session.expiresAt})`.execute(dbTx)
}

/** Opens the sessions of a wallet to all calls, after it accepted the terms in force. */
export async function liftLeavesOnly(dbTx: Db, address: string): Promise<void> {
  await sql`update sessions set leaves_only = false where address = ${address} and leaves_only`.execute(dbTx)
}

/** Returns the sessions of token hashes that are neither expired nor revoked. */
export async function openSessions(
  db: Db,
  tokenHashes: readonly Buffer[],
  at: Date,
): Promise<FoundSession[]> {
  // Not a condition of the query: PostgreSQL may look up the sessions of later expiry instead, which are all.
  const { rows } = await sql<FoundSession & { readonly expiresAt: Date }>`
    select token_hash as "tokenHash", member_id as "memberId", address, leaves_only as "leavesOnly",
      last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from sessions where token_hash = any(${tokenHashes}::bytea[]) and revoked_at is null`.execute(db)
  return rows.filter(({ expiresAt }) => expiresAt > at)
}

/** Records the use of sessions. Skips rows that another transaction is writing. */
export async function noteUse(db: Db, tokenHashes: readonly Buffer[], at: Date): Promise<void> {
  await sql`
    update sessions set last_used_at = ${at} where token_hash in (
      select token_hash from sessions where token_hash = any(${tokenHashes}::bytea[]) for update skip locked)`.execute(
    db,
  )
}

/** Returns a wallet's sessions that are neither expired nor revoked, the last used first. */
export async function sessionsOf(db: Db, address: string, at: Date, limit: number): Promise<ListedSession[]> {
  const { rows } = await sql<ListedSession>`
    select session_id as "sessionId", token_hash as "tokenHash", device, created_at as "createdAt",
      last_used_at as "lastUsedAt", expires_at as "expiresAt"
    from sessions where address = ${address} and revoked_at is null and expires_at > ${at}
    order by last_used_at desc, session_id desc limit ${limit}`.execute(db)
  return rows
}

/** Revokes one session of a wallet, or all but one. Returns the hashes of their tokens. */
export async function revokeOf(
  db: Db,
  address: string,
  which: { sessionId: bigint } | { exceptHash: Buffer },
  at: Date,
): Promise<Buffer[]> {
  const chosen =
    'sessionId' in which ? sql`session_id = ${which.sessionId}` : sql`token_hash <> ${which.exceptHash}`
  const { rows } = await sql<{ tokenHash: Buffer }>`
    update sessions set revoked_at = ${at}
    where address = ${address} and ${chosen} and revoked_at is null and expires_at > ${at}
    returning token_hash as "tokenHash"`.execute(db)
  return rows.map(({ tokenHash }) => tokenHash)
}

export async function revoke(db: Db, tokenHash: Buffer, at: Date): Promise<void> {
  await sql`
    update sessions set revoked_at = ${at} where token_hash = ${tokenHash} and revoked_at is null`.execute(db)
}

/** A wallet of no member that asked for a nonce on a day. */
export interface Visit {
  readonly day: Day
  readonly address: string
}

/** Stores visits, each once. */
export async function storeVisits(db: Db, visits: readonly Visit[]): Promise<void> {
  const [days, addresses] = [visits.map(({ day }) => day), visits.map(({ address }) => address)]
  // Sorted, because two processes may store the same ones.
  await sql`
    insert into sign_in_visits (day, address)
    select day, address from unnest(${days}::date[], ${addresses}::text[]) as new (day, address)
    order by day, address on conflict do nothing`.execute(db)
}

/**
 * Deletes at most `limit` used nonces and sessions each that expired before a time, and visits before a day, whose
 * number it keeps.
 */
export async function deleteOver(
  db: Db,
  { before, visitsBefore, limit }: { before: Date; visitsBefore: Day; limit: number },
): Promise<void> {
  await sql`
    with deleted as (
      delete from sign_in_visits where (day, address) in (
        select day, address from sign_in_visits where day < ${visitsBefore}::date order by day, address limit ${limit}
        for update skip locked)
      returning day
    )
    insert into sign_in_days as days (day, visitors)
    select day, count(*) from deleted group by day order by day
    on conflict (day) do update set visitors = days.visitors + excluded.visitors`.execute(db)
  await sql`
    delete from sign_in_nonces where nonce in (
      select nonce from sign_in_nonces where expires_at < ${before} order by expires_at limit ${limit}
      for update skip locked)`.execute(db)
  await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at < ${before} order by expires_at limit ${limit}
      for update skip locked)`.execute(db)
}

/** Adds a wallet's visits to the numbers of their days, before they are deleted. */
export async function keepVisits(dbTx: Db, address: string): Promise<void> {
  await sql`
    insert into sign_in_days as days (day, visitors)
    select day, count(*) from sign_in_visits where address = ${address} group by day order by day
    on conflict (day) do update set visitors = days.visitors + excluded.visitors`.execute(dbTx)
}
