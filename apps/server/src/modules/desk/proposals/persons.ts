import type { Db } from '../../../db/database.ts'
import type { AddressesService } from '../../leaving/leaving.addresses.service.ts'
import type { LeavingService } from '../../leaving/leaving.service.ts'
import type { MembersService } from '../../members/members.service.ts'
import type { AdminsService } from '../../operators/admins/admins.service.ts'

export interface PersonDeps {
  readonly admins: Pick<AdminsService, 'find' | 'walletsLike'>
  readonly members: Pick<MembersService, 'byAddresses' | 'addresses'>
  readonly leaving: Pick<LeavingService, 'paidAddresses' | 'paidFrom'>
  readonly contacts: Pick<AddressesService, 'savedBy'>
}

/** The wallets of one person, in lower case. */
export interface PersonWallets {
  /**
   * The wallets on record of the person, with or without a role now, the receivers of withdrawals of the person's
   * members, and the wallets of members whose withdrawals were paid to the person.
   */
  readonly own: ReadonlySet<string>
  /** The addresses that the person's members saved. */
  readonly saved: ReadonlySet<string>
}

/** Returns the wallets known to belong to the person of a wallet (lower case). Rules, section 12. */
export async function walletsOfPerson(deps: PersonDeps, db: Db, address: string): Promise<PersonWallets> {
  const { admins, members, leaving, contacts } = deps
  const wallets = await admins.walletsLike(db, address)
  const memberIds = [...(await members.byAddresses(db, wallets)).values()]
  const paid = await Promise.all(memberIds.map((memberId) => leaving.paidAddresses(db, memberId)))
  const payers = await members.addresses(db, await leaving.paidFrom(db, wallets))
  return {
    own: new Set([...wallets, ...paid.flat(), ...payers.values()]),
    saved: new Set(await contacts.savedBy(db, memberIds)),
  }
}

/** Reports whether a proposal pays or concerns wallets of a person. */
export const paysPerson = ({ own, saved }: PersonWallets, payees: readonly string[]): boolean =>
  payees.some((payee) => own.has(payee) || saved.has(payee))
