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

/** The most names that a member can give. */
const MAX_SAVED = 200
const RECENT = 10

/** An address in lower case. Throws INVALID_ADDRESS: no address, or one whose capitals contradict its checksum (EIP-55). */
export function readAddress(address: string): string {
  if (!isAddress(address)) throw new AppError('INVALID_ADDRESS')
  return address.toLowerCase()
}

/** The member's own address book, and what it tells about an address. Rules, section 10. */
export function createContactsService({ ledger, members, withdrawals }: Deps) {
  /** The member's book and wallet, and every address that money of the member went to, by whatever way. */
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
    /** The addresses that the member named, and those sent to last. */
    list,

    /**
     * Whose address it is and what to beware of: an address never used that looks like a known one. Throws
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

    /** The member's own names of some addresses (lower case). */
    async labels(
      db: Db,
      memberId: bigint,
      addresses: readonly string[],
    ): Promise<ReadonlyMap<string, string>> {
      const rows = await repository.contactsAt(db, memberId, addresses)
      return new Map(rows.flatMap(({ address, label }) => (label === null ? [] : [[address, label]])))
    },

    /** Names an address, or renames it. Throws INVALID_ADDRESS, and CONTACTS_FULL when that would be one name too many. */
    async save(dbTx: Db, memberId: bigint, { address, label }: { address: string; label: string }) {
      const key = readAddress(address)
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const saved = await repository.savedContacts(dbTx, memberId)
      const isNew = saved.every((entry) => entry.address !== key)
      if (isNew && saved.length >= MAX_SAVED) throw new AppError('CONTACTS_FULL', { limit: MAX_SAVED })
      await repository.upsertLabel(dbTx, memberId, key, label)
      return list(dbTx, memberId)
    },

    /** Takes the name of an address away; that it was sent to is kept. Throws INVALID_ADDRESS. */
    async remove(dbTx: Db, memberId: bigint, address: string) {
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await repository.removeLabel(dbTx, memberId, readAddress(address))
      return list(dbTx, memberId)
    },

    /**
     * Notes that money went to an address (lower case), so that it is known from now on, and tells the name that the
     * member gave it. The caller holds the head.
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
