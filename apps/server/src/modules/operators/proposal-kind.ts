import type { ProposalPayload } from '@rif/api-schema'
import { getAddress, type Hex } from 'viem'
import { type ContractAddresses, readWallet } from '../../chain/banks.ts'
import { AppError } from '../../lib/errors.ts'
import { change, type Kind, says } from '../proposal-kind.ts'
import type { AdminsService } from './admins/admins.service.ts'

interface RoleDeps {
  readonly admins: AdminsService
  readonly contracts: ContractAddresses
}

/**
 * A role for a wallet, or its removal. The person concerned cannot decide, and neither prepares nor approves the
 * first role of a new person. Two owners always remain. Rules, section 12.
 */
export function roleKind({ admins, contracts }: RoleDeps): Kind<ProposalPayload<'role'>> {
  return {
    prepare: 'owner',
    decide: 'owner',
    people: 2,
    async preview(db, { address, role, person: choice }) {
      readWallet({ contracts }, address)
      const before = await admins.find(db, address)
      const wallet = getAddress(address as Hex)
      if (role === null && before === undefined) throw new AppError('NOT_FOUND')
      const { number, name: person } = await admins.named(db, address, choice)
      const shown = number === null ? `NEW PERSON ${person}` : `person ${number}, ${person}`
      const sentence = number === null ? 'role_given_new' : 'role_given'
      // The named person owns the new wallet too; otherwise that person could appoint and keep it.
      const others = number === null ? [] : await admins.walletsOf(db, number)
      return {
        subject: `admin/${address.toLowerCase()}`,
        summary: `${wallet} (${shown}): ${before?.role ?? 'no role'} -> ${role ?? 'no role'}`,
        headline: role === null ? says('role_taken', { person }) : says(sentence, { person, role }),
        difference: [
          change('role', before?.role ?? null, role, wallet),
          change(
            'person',
            before === undefined ? null : `person ${before.personId}, ${before.person}`,
            role && shown,
            wallet,
          ),
        ],
        payees: [address.toLowerCase(), ...others],
        notOfPreparer: number === null ? [address.toLowerCase()] : [],
      }
    },
    async apply(dbTx, { address, role, person }, { proposalId, preparedBy, decidedBy }) {
      // Two owners vouch for a new person, so the one who prepared must still be one.
      if ('new_name' in person && proposalId !== null) {
        const preparer = await admins.find(dbTx, preparedBy)
        if (preparer?.role !== 'owner') throw new AppError('PROPOSAL_CHANGED')
      }
      await admins.set(dbTx, { address, role, person, actor: decidedBy })
    },
  }
}
