import type { AdminRole } from '@rif/rules'
import { inTx } from '../db/database.ts'
import type { Services } from '../services.ts'

/** Gives a wallet a role without a proposal: as the person on record with exactly this name, else as a new one. */
export async function giveRole(
  { db, admins }: Pick<Services, 'db' | 'admins'>,
  { address, role, person }: { address: string; role: AdminRole; person: string },
): Promise<void> {
  const personRow = (await admins.persons(db)).find(({ name }) => name === person)
  const choice = personRow === undefined ? { new_name: person } : { number: `${personRow.personId}` }
  await inTx(db, (dbTx) => admins.set(dbTx, { address, role, person: choice, actor: 'test' }))
}

/** Takes the role from a wallet without a proposal. */
export async function takeRole(
  { db, admins }: Pick<Services, 'db' | 'admins'>,
  address: string,
): Promise<void> {
  const { personId } = (await admins.find(db, address))!
  const person = { number: `${personId}` }
  await inTx(db, (dbTx) => admins.set(dbTx, { address, role: null, person, actor: 'test' }))
}
