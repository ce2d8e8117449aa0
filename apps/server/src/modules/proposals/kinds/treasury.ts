import type { ProposalPayload } from '@rif/api-schema'
import { parseMicros } from '@rif/rules'
import type { DestinationsService } from '../../treasury/treasury.destinations.service.ts'
import type { ExitsService } from '../../treasury/treasury.exits.service.ts'
import { change, type Kind, says } from '../proposals.kinds.ts'

interface Deps {
  readonly exits: Pick<ExitsService, 'approvePayout'>
  readonly exitDestinations: Pick<DestinationsService, 'nameOf' | 'approve'>
}

const TWO_PEOPLE = { prepare: 'operator', decide: 'approver', people: 2 } as const

/** A payout of revenue or fees from the bank contract to a listed destination. Rules, section 2. */
export function treasuryPayoutKind({
  exits,
  exitDestinations,
}: Deps): Kind<ProposalPayload<'treasury_payout'>> {
  return {
    ...TWO_PEOPLE,
    async preview(db, { source, asset, amount, destination, purpose, document_hash }) {
      const to = destination.toLowerCase()
      const name = await exitDestinations.nameOf(db, to)
      return {
        subject: `treasury/${source}/${asset}/${to}`,
        summary: `Pay ${amount} ${asset} of ${source} out of the bank to ${name} (${to}), for ${purpose}`,
        headline: says('treasury_payout', { amount, asset, name }),
        difference: [
          change('leaves_bank', null, `${amount} ${asset}`, source),
          change('destination', null, `${name} (${to})`, source),
          change('purpose', null, purpose, source),
          change('document_hash', null, document_hash, source),
        ],
        payees: [to],
        amounts: [{ asset, micros: parseMicros(amount) }],
      }
    },
    async apply(dbTx, payload, { preparedBy, decidedBy }) {
      const { source, asset, amount, destination, purpose, document_hash } = payload
      const exit = await exits.approvePayout(dbTx, {
        source,
        asset,
        amountMicros: parseMicros(amount),
        destination: destination.toLowerCase(),
        purpose,
        documentHash: document_hash.toLowerCase(),
        preparedBy,
        approvedBy: decidedBy,
      })
      return { exit_id: `${exit.exitId}`, onchain_id: exit.onchainId }
    },
  }
}

/**
 * The owner of an exit destination's wallet. The default admin of the bank contract then announces the
 * destination there. Rules, section 2.
 */
export function exitDestinationKind({
  exitDestinations,
}: Pick<Deps, 'exitDestinations'>): Kind<ProposalPayload<'exit_destination'>> {
  return {
    ...TWO_PEOPLE,
    async preview(_db, { address, name, purpose }) {
      const to = address.toLowerCase()
      return {
        subject: `destination/${to}`,
        summary: `Exits may go to ${to}, the wallet of ${name}, for ${purpose}`,
        headline: says('exit_destination', { name }),
        difference: [change('name', null, name, to), change('purpose', null, purpose, to)],
        payees: [to],
      }
    },
    apply: (dbTx, { address, name, purpose }, { preparedBy, decidedBy }) =>
      exitDestinations.approve(dbTx, {
        address: address.toLowerCase(),
        name,
        purpose,
        preparedBy,
        approvedBy: decidedBy,
      }),
  }
}
