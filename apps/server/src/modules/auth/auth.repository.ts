import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** Who a token stands for. The address is in lower case. */
export interface Session {
  readonly tokenHash: Buffer
  readonly memberId: bigint
  readonly address: string
}

export async function insertNonce(
  db: Db,
  { nonce, address, expiresAt }: { nonce: string; address: string; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sign_in_nonces (nonce, address, expires_at) values (${nonce}, ${address}, ${expiresAt})`.execute(
    db,
  )
}

/** Whether a nonce may still be used by a wallet at a time. */
export async function nonceIsOpen(db: Db, nonce: string, address: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    select from sign_in_nonces
    where nonce = ${nonce} and address = ${address} and used_at is null and expires_at > ${at}`.execute(db)
  return rows.length === 1
}

/** Uses a nonce; false when it cannot be used (any more). Of two at once, one waits for the other and gets false. */
export async function useNonce(dbTx: Db, nonce: string, address: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update sign_in_nonces set used_at = ${at}
    where nonce = ${nonce} and address = ${address} and used_at is null and expires_at > ${at}
    returning nonce`.execute(dbTx)
  return rows.length === 1
}

export async function insertSession(
  dbTx: Db,
  session: Session & { createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql`
    insert into sessions (token_hash, member_id, address, created_at, expires_at)
    values (${session.tokenHash}, ${session.memberId}, ${session.address}, ${session.createdAt}, ${session.expiresAt})`.execute(
    dbTx,
  )
}

/** The sessions behind these token hashes that are neither over nor revoked. */
export async function openSessions(db: Db, tokenHashes: readonly Buffer[], at: Date): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select token_hash as "tokenHash", member_id as "memberId", address from sessions
    where token_hash = any(${tokenHashes}::bytea[]) and revoked_at is null and expires_at > ${at}`.execute(db)
  return rows
}

export async function revoke(db: Db, tokenHash: Buffer, at: Date): Promise<void> {
  await sql`
    update sessions set revoked_at = ${at} where token_hash = ${tokenHash} and revoked_at is null`.execute(db)
}

/** Deletes at most `limit` nonces and sessions each that were over before a time. */
export async function deleteOver(db: Db, before: Date, limit: number): Promise<void> {
  await sql`
    delete from sign_in_nonces where nonce in (
      select nonce from sign_in_nonces where expires_at < ${before} order by expires_at limit ${limit}
      for update skip locked)`.execute(db)
  await sql`
    delete from sessions where token_hash in (
      select token_hash from sessions where expires_at < ${before} order by expires_at limit ${limit}
      for update skip locked)`.execute(db)
}
