import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

/** A version of terms and risks that a wallet accepted, with the message that it signed. */
export interface Acceptance {
  readonly version: string
  readonly sha256: Buffer
  readonly message: string
  readonly signature: Buffer
  readonly acceptedAt: Date
}

/** Stores what a wallet accepted, unless it accepted that version before. */
export async function insertAcceptance(
  dbTx: Db,
  accepted: Acceptance & { readonly address: string; readonly memberId: bigint | null },
): Promise<void> {
  const { address, version, memberId, sha256, message, signature, acceptedAt } = accepted
  await sql`
    insert into terms_acceptances (address, version, member_id, sha256, message, signature, accepted_at)
    values (${address}, ${version}, ${memberId}, ${sha256}, ${message}, ${signature}, ${acceptedAt})
    on conflict do nothing`.execute(dbTx)
}

/** Returns the last version that a wallet accepted. */
export async function lastAccepted(db: Db, address: string): Promise<string | undefined> {
  const { rows } = await sql<{ version: string }>`
    select version from terms_acceptances where address = ${address} order by version desc limit 1`.execute(
    db,
  )
  return rows[0]?.version
}

/** Returns all that a wallet accepted, the last version first. */
export async function acceptancesOf(db: Db, address: string): Promise<Acceptance[]> {
  const { rows } = await sql<Acceptance>`
    select version, sha256, message, signature, accepted_at as "acceptedAt"
    from terms_acceptances where address = ${address} order by version desc`.execute(db)
  return rows
}
