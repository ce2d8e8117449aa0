import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'
import type { Read } from '../../../db/read.ts'

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

/** The read of the version that a wallet accepted: the one in force, else the last; null for none. */
export const acceptedRead = (address: string, inForce: string): Read<string | null> => ({
  rows: () => sql`
    select null::bigint as member_id, (
      select version from terms_acceptances where address = ${address}
      order by version = ${inForce} desc, accepted_at desc limit 1) as value`,
  parse: (version: string | undefined) => version ?? null,
})

/** Returns all that a wallet accepted: the version in force first, then the last one. */
export async function acceptancesOf(db: Db, address: string, inForce: string): Promise<Acceptance[]> {
  const { rows } = await sql<Acceptance>`
    select version, sha256, message, signature, accepted_at as "acceptedAt"
    from terms_acceptances where address = ${address}
    order by version = ${inForce} desc, accepted_at desc`.execute(db)
  return rows
}
