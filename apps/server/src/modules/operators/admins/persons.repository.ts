import { sql } from 'kysely'
import type { Db } from '../../../db/database.ts'

/** A person on record; `rootId` is the number of the person that this one was joined into, or the own. */
export interface PersonRow {
  readonly personId: bigint
  readonly rootId: bigint
  readonly name: string
}

/** Returns all persons on record by number. */
export async function listPersons(db: Db): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select person_id as "personId", coalesce(joined_into, person_id) as "rootId", name
    from persons order by person_id`.execute(db)
  return rows
}

/** Records a new person and returns the number. */
export async function insertPerson(dbTx: Db, { name, at }: { name: string; at: Date }): Promise<bigint> {
  const { rows } = await sql<{ personId: bigint }>`
    insert into persons (name, recorded_at) values (${name}, ${at}) returning person_id as "personId"`.execute(
    dbTx,
  )
  return rows[0]!.personId
}

/** Joins persons into one with a lower number. */
export async function join(
  dbTx: Db,
  { rootId, personIds }: { rootId: bigint; personIds: readonly bigint[] },
): Promise<void> {
  await sql`
    update persons set joined_into = ${rootId} where person_id = any (${personIds}::bigint[])`.execute(dbTx)
}

/** Records the person of a wallet in lower case, unless the wallet is on record. */
export async function insertWallet(
  dbTx: Db,
  { address, personId, at }: { address: string; personId: bigint; at: Date },
): Promise<void> {
  await sql`
    insert into person_wallets (address, person_id, recorded_at) values (${address}, ${personId}, ${at})
    on conflict (address) do nothing`.execute(dbTx)
}

/** Returns the person of a wallet in lower case, as joined; undefined for a wallet that never had a role. */
export async function ofWallet(
  db: Db,
  address: string,
): Promise<{ personId: bigint; name: string } | undefined> {
  const { rows } = await sql<{ personId: bigint; name: string }>`
    select root.person_id as "personId", root.name
    from person_wallets
    join persons as own using (person_id)
    join persons as root on root.person_id = coalesce(own.joined_into, own.person_id)
    where address = ${address}`.execute(db)
  return rows[0]
}

/** Returns the wallets on record of a person and of those joined into it, in lower case. */
export async function walletsOf(db: Db, personId: bigint): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select address from person_wallets join persons using (person_id)
    where coalesce(joined_into, person_id) = ${personId} order by address`.execute(db)
  return rows.map(({ address }) => address)
}
