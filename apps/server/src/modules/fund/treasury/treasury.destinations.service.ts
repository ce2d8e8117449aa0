import type { ExitDestination } from '@rif/api-schema'
import { getAddress, type Hex } from 'viem'
import { EXECUTION_WINDOW_MS } from '../../../chain/bank-exits.ts'
import type { Chain } from '../../../chain/client.ts'
import { payingBank } from '../../../chain/hand-over.ts'
import type { EventHandler } from '../../../chain/indexer/events.ts'
import { type DestinationStatus, destinationStates } from '../../../chain/indexer/exit-destinations.ts'
import type { Db } from '../../../db/database.ts'
import type { Now } from '../../../lib/clock.ts'
import { AppError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import { actorText } from '../../operators/admin-log/admin-log.service.ts'
import type { DestinationApproval } from './treasury.repository.ts'
import * as repository from './treasury.repository.ts'

interface Deps {
  readonly now: Now
  readonly log: Logger
  readonly chain: Pick<Chain, 'chainId' | 'contracts'>
}

export type DestinationsService = ReturnType<typeof createDestinations>

/**
 * Creates the service of exit destinations. Two admins record here the owner of a destination wallet; the
 * default admin of the bank contract lists it there. The final events of the contract determine whether it is
 * listed. Rules, section 2.
 */
export function createDestinations({ now, log, chain }: Deps) {
  /** Returns the destinations of the bank that holds the money. */
  async function states(db: Db, address?: string): Promise<DestinationStatus[]> {
    const bank = await payingBank(db, chain.contracts)
    return destinationStates(db, chain.chainId, bank.address.toLowerCase(), address)
  }

  /** Logs an announced destination that nobody approved here; the watcher of the bank raises the alarm. */
  const onFinal: EventHandler<'DestinationQueued' | 'DestinationListed'>['onFinal'] = async (dbTx, event) => {
    const destination = event.args.destination.toLowerCase()
    if ((await repository.approvedDestinations(dbTx)).has(destination)) return
    const facts = { destination, txHash: event.txHash }
    log.error(facts, 'the bank contract has a destination of exits that no admin approved: cancel it')
  }
  const handler = {
    onFinal,
    onUndone: async () => 'undone' as const,
    onMoved: async () => true,
  }
  const silent = { ...handler, onFinal: async () => {} }

  return {
    /** Stores a destination that two admins approved. Throws VALIDATION_FAILED if it was approved before. */
    async approve(dbTx: Db, approval: Omit<DestinationApproval, 'approvedAt'>): Promise<void> {
      if (!(await repository.insertDestination(dbTx, { ...approval, approvedAt: now() })))
        throw new AppError('VALIDATION_FAILED', { field: 'address', problem: 'was approved before' })
    },

    /** Reports whether two admins have approved any destination. */
    hasApproved: async (db: Db): Promise<boolean> => (await repository.approvedDestinations(db)).size > 0,

    /** Returns the owner of a destination wallet (lower case), or a text for an unapproved one. */
    async nameOf(db: Db, address: string): Promise<string> {
      return (await repository.approvedDestinations(db)).get(address)?.name ?? 'an unknown wallet'
    },

    /** Throws VALIDATION_FAILED unless two admins approved a destination (lower case) and the contract lists it. */
    async requireListed(db: Db, address: string): Promise<void> {
      const [listed] = await states(db, address)
      const isApproved = (await repository.approvedDestinations(db)).has(address)
      if (listed?.state !== 'listed' || !isApproved)
        throw new AppError('VALIDATION_FAILED', { field: 'destination', problem: 'is not listed' })
    },

    /** Returns the destinations that are approved here, or were ever announced in the contract. */
    async list(db: Db): Promise<ExitDestination[]> {
      const [approved, announced] = [await repository.approvedDestinations(db), await states(db)]
      const announcedAddresses = new Set(announced.map(({ address }) => address))
      return [
        ...announced.map((item) => view(item, approved.get(item.address))),
        ...[...approved.values()]
          .filter(({ address }) => !announcedAddresses.has(address))
          .map((item) => view({ address: item.address, state: 'approved', executableAt: null }, item)),
      ]
    },

    /** Returns the destinations that the contract lists or may list soon, and that nobody approved here; the watcher of the bank raises the alarm. */
    async unapproved(db: Db): Promise<DestinationStatus[]> {
      const approved = await repository.approvedDestinations(db)
      const isOn = ({ state }: DestinationStatus) => state === 'queued' || state === 'listed'
      return (await states(db)).filter((state) => isOn(state) && !approved.has(state.address))
    },

    handlers: {
      DestinationQueued: handler,
      DestinationListed: handler,
      DestinationCancelled: silent,
      DestinationRemoved: silent,
    },
  }
}

function view(
  destination: { address: string; state: ExitDestination['state']; executableAt: Date | null },
  approval: DestinationApproval | undefined,
): ExitDestination {
  const { address, state, executableAt } = destination
  const isQueued = state === 'queued' && executableAt !== null
  return {
    address: getAddress(address as Hex),
    approved: approval
      ? {
          name: approval.name,
          purpose: approval.purpose,
          by: actorText(approval.approvedBy),
          prepared_by: actorText(approval.preparedBy),
          at: approval.approvedAt.toISOString(),
        }
      : null,
    state,
    executable_at: isQueued ? executableAt.toISOString() : null,
    expires_at: isQueued ? new Date(executableAt.getTime() + EXECUTION_WINDOW_MS).toISOString() : null,
  }
}
