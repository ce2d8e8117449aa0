import type { Contact, Receiver } from '@rif/api-schema'
import { looksLike } from '@rif/rules'
import { getAddress, type Hex, isAddress } from 'viem'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import type { WithdrawalsService } from '../withdrawals/withdrawals.service.ts'
import * as repository from './transfers.repository.ts'

interface Deps {
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly withdrawals: WithdrawalsService
}

export type ContactsService = ReturnType<typeof createContactsService>

/** The maximum number of addresses that a member can name. */
const MAX_SAVED = 200
const RECENT = 10

/** Returns an address in lower case. Throws INVALID_ADDRESS, also for a wrong checksum (EIP-55). */
export function readAddress(address: string): string {
  if (!isAddress(address)) throw new AppError('INVALID_ADDRESS')
  return address.toLowerCase()
}

/** Creates the service of members' address books. Rules, section 10. */
export function createContactsService({ ledger, members, withdrawals }: Deps) {
  /** Returns the member's book and wallet, and every address that the member sent money to. */
  async function known(db: Db, memberId: bigint) {
    const own = (await members.get(db, memberId)).address
    const book = await repository.contactsOf(db, memberId)
    const paid = await withdrawals.paidAddresses(db, memberId)
    const addresses = [...new Set([own, ...book.map((entry) => entry.address), ...paid])]
    return { own, book: new Map(book.map((entry) => [entry.address, entry])), addresses }
  }

  async function list(db: Db, memberId: bigint): Promise<{ saved: Contact[]; recent: Contact[] }> {
    const saved = await repository.savedContacts(db, memberId)
    const recent = await repository.recentContacts(db, memberId, RECENT)
    return { saved: saved.map(contactView), recent: recent.map(contactView) }
  }

  return {
    /** Returns the addresses that the member named, and those sent to last. */
    list,

    /**
     * Describes the receiver at an address, with a warning when an unused address resembles a known one. Throws
     * INVALID_ADDRESS.
     */
    async receiver(db: Db, memberId: bigint, text: string): Promise<Receiver> {
      const address = readAddress(text)
      const { own, book, addresses } = await known(db, memberId)
      const twin = looksLike(address, addresses)
      const registered = (await members.findByAddress(db, address)) !== undefined
      return {
        ...contactView(book.get(address) ?? { address, label: null, last_sent_at: null }),
        registered,
        own: address === own,
        looks_like:
          twin === null ? null : { address: getAddress(twin as Hex), label: book.get(twin)?.label ?? null },
      }
    },

    /** Returns the member's names of addresses (lower case). */
    async labels(
      db: Db,
      memberId: bigint,
      addresses: readonly string[],
    ): Promise<ReadonlyMap<string, string>> {
      const rows = await repository.contactsAt(db, memberId, addresses)
      return new Map(rows.flatMap(({ address, label }) => (label === null ? [] : [[address, label]])))
    },

    /** Names or renames an address. Throws INVALID_ADDRESS, CONTACTS_FULL above `MAX_SAVED`. */
    async save(dbTx: Db, memberId: bigint, { address, label }: { address: string; label: string }) {
      const key = readAddress(address)
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const saved = await repository.savedContacts(dbTx, memberId)
      const isNew = saved.every((entry) => entry.address !== key)
      if (isNew && saved.length >= MAX_SAVED) throw new AppError('CONTACTS_FULL', { limit: MAX_SAVED })
      await repository.upsertLabel(dbTx, memberId, key, label)
      return list(dbTx, memberId)
    },

    /** Removes the name of an address, and keeps the time of the last payment. Throws INVALID_ADDRESS. */
    async remove(dbTx: Db, memberId: bigint, address: string) {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await repository.removeLabel(dbTx, memberId, readAddress(address))
      return list(dbTx, memberId)
    },

    /**
     * Records that money was sent to an address (lower case). Returns the member's name of it. The caller holds the head.
     */
    noteSent(dbTx: Db, memberId: bigint, address: string, at: Date): Promise<string | null> {
      return repository.upsertSent(dbTx, memberId, address, at)
    },
  }
}

function contactView(row: repository.ContactRow): Contact {
  return {
    address: getAddress(row.address as Hex),
    label: row.label,
    last_sent_at: row.last_sent_at?.toISOString() ?? null,
  }
}
