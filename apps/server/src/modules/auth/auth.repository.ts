import type { Day, TermsVersion } from '@rif/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { type Read, read } from '../../db/read.ts'
import { MEMBERS } from '../members/members.relations.ts'

/** The wallet of a token, in lower case, and its member; null for an admin who is no member. */
export interface Caller {
  readonly tokenHash: Buffer
  readonly memberId: bigint | null
  readonly address: string
  /** True if the wallet did not accept the terms in force: the session can only take out what is its own. */
  readonly leavesOnly: boolean
}

/** A member's session. */
export interface Session extends Caller {
  readonly memberId: bigint
}

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

/** The write of a nonce. The first one of a wallet of no member on a day is marked as a visit. */
export function nonceInsertion({
  nonce,
  address,
  expiresAt,
  day,
  termsVersion,
}: NewNonce): RawBuilder<unknown> {
  return sql`
    insert into sign_in_nonces (nonce, address, expires_at, terms_version, visit_day)
    select ${nonce}, ${address}::text, ${expiresAt}::timestamptz, ${termsVersion}::text, case
      when not exists (select from ${MEMBERS} as members where members.address = ${address})
        and not exists (select from sign_in_nonces where visit_day = ${day}::date and address = ${address})
      then ${day}::date end`
}

interface NewNonce {
  readonly nonce: string
  readonly address: string
  readonly expiresAt: Date
  readonly day: Day
  /** The text in force, which the message is about. */
  readonly termsVersion: string
}

/** The read of the text of terms that a nonce was issued with; undefined if a wallet may not use the nonce at a time. */
export const nonceRead = (nonce: string, address: string, at: Date): Read<TermsVersion | undefined> =>
  read<TermsVersion, TermsVersion | undefined>(
    () => sql`
      select null::bigint as member_id,
        json_build_object('version', texts.version, 'sha256', encode(texts.sha256, 'hex'))::text as value
      from sign_in_nonces as nonces join terms_texts as texts on texts.version = nonces.terms_version
      where nonces.nonce = ${nonce} and nonces.address = ${address} and nonces.used_at is null
        and nonces.expires_at > ${at}`,
    (terms) => terms,
  )

/** The write that uses a nonce, which it returns unless it is invalid, expired or used; of two concurrent ones one returns it. */
export const nonceUse = (nonce: string, address: string, at: Date): RawBuilder<{ nonce: string }> => sql<{
  nonce: string
}>`
  update sign_in_nonces set used_at = ${at}
  where nonce = ${nonce} and address = ${address} and used_at is null and expires_at > ${at}
  returning nonce`

/** The read of whether the write `used` of the same statement used its nonce. */
export const usedRead: Read<boolean> = {
  rows: () => sql`select null::bigint as member_id, nonce as value from used`,
  parse: (value) => value !== undefined,
}

/** The write of a session. */
export const sessionInsertion = (
  session: Caller & { device: string | null; createdAt: Date; expiresAt: Date },
): RawBuilder<unknown> => sql`
  insert into sessions (token_hash, member_id, address, leaves_only, device, created_at, last_used_at, expires_at)
  values (${session.tokenHash}, ${session.memberId}, ${session.address}, ${session.leavesOnly}, ${session.device},
    ${session.createdAt}, ${session.createdAt}, ${session.expiresAt})`

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

/** Deletes at most `limit` nonces and sessions each that expired before a time, and keeps the number of visits. */
export async function deleteOver(db: Db, before: Date, limit: number): Promise<void> {
  await sql`
    with deleted as (
      delete from sign_in_nonces where nonce in (
        select nonce from sign_in_nonces where expires_at < ${before} order by expires_at limit ${limit}
        for update skip locked)
      returning visit_day
    )
    insert into sign_in_days as days (day, visitors)
    select visit_day, count(*) from deleted where visit_day is not null group by visit_day order by visit_day
    on conflict (day) do update set visitors = days.visitors + excluded.visitors`.execute(db)
  await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at < ${before} order by expires_at limit ${limit}
      for update skip locked)`.execute(db)
}

/** Adds the visits of a wallet's nonces to the numbers of their days, before the nonces are deleted. */
export async function keepVisits(dbTx: Db, address: string): Promise<void> {
  await sql`
    insert into sign_in_days as days (day, visitors)
    select visit_day, count(*) from sign_in_nonces where address = ${address} and visit_day is not null
    group by visit_day order by visit_day
    on conflict (day) do update set visitors = days.visitors + excluded.visitors`.execute(dbTx)
}
