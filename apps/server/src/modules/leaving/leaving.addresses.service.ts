import { randomUUID } from 'node:crypto'
import type { AddressName, Contact, Receiver, RouteData } from '@rif/api-schema'
import {
  afterSavedDelay,
  dayOf,
  isSavedOnly,
  isWalletAddress,
  looksLike,
  type Plan,
  type SavedOnlySwitch,
} from '@rif/rules'
import { getAddress, type Hex, isAddress } from 'viem'
import type { Db } from '../../db/database.ts'
import { type Read, read } from '../../db/read.ts'
import type { Now } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import type { LedgerService } from '../books/ledger/ledger.service.ts'
import type { MembersService } from '../members/members.service.ts'
import { type Happened, notify } from '../messages/notices/notices.service.ts'
import type { PlansService } from '../prices/plans/plans.service.ts'
import * as repository from './leaving.addresses.repository.ts'
import type { Consent, ConsentsService, MemberWallet } from './leaving.consents.service.ts'
import { paidAddresses } from './leaving.repository.ts'

interface Deps {
  readonly now: Now
  readonly ledger: LedgerService
  readonly members: MembersService
  readonly plans: PlansService
  readonly consents: ConsentsService
}

export type AddressesService = ReturnType<typeof createAddressesService>
export type AddressBook = Omit<RouteData<'contacts'>, 'minimum'>

type KnownAs = Omit<AddressName, 'address'>
const UNKNOWN: KnownAs = { name: null, note: null }

/** The maximum number of addresses that a member can save. */
const MAX_SAVED = 200
const RECENT = 10
const HOUR_MS = 3_600_000

/** Returns a wallet's address in lower case. Throws INVALID_ADDRESS, also for a wrong checksum (EIP-55). */
export function readAddress(address: string): string {
  if (!isAddress(address) || !isWalletAddress(address)) throw new AppError('INVALID_ADDRESS')
  return address.toLowerCase()
}

/** Creates the service of members' saved addresses, one book for withdrawals and transfers. Rules, section 10. */
export function createAddressesService({ now, ledger, members, plans, consents }: Deps) {
  const planNow = (db: Db): Promise<Plan> => plans.planAt(db, dayOf(now().getTime()))

  async function switchOf(db: Db, memberId: bigint): Promise<SavedOnlySwitch> {
    const row = await repository.switchOf(db, memberId)
    return {
      onSinceMs: row?.on_since.getTime() ?? null,
      offFromMs: row?.off_from?.getTime() ?? null,
    }
  }

  /** Returns the member's book and wallet, and every address that the member sent money to. */
  async function addressesOf(db: Db, memberId: bigint) {
    const own = (await members.get(db, memberId)).address
    const book = await repository.contactsOf(db, memberId)
    const paid = await paidAddresses(db, memberId)
    const addresses = [...new Set([own, ...book.map((entry) => entry.address), ...paid])]
    return { own, book: new Map(book.map((entry) => [entry.address, entry])), addresses }
  }

  /**
   * Returns the member's own names for addresses (lower case): those of the address book, otherwise those
   * given to team members.
   */
  async function allNames(db: Db, memberId: bigint): Promise<ReadonlyMap<string, string>> {
    const saved = await repository.savedContacts(db, memberId)
    const team = (await members.labels.all(db, memberId)).filter(({ label }) => label !== '')
    const wallets =
      team.length === 0
        ? null
        : await members.addresses(
            db,
            team.map(({ aboutId }) => aboutId),
          )
    return new Map([
      ...team.flatMap(({ aboutId, label }): [string, string][] => {
        const wallet = wallets?.get(aboutId)
        return wallet === undefined ? [] : [[wallet, label]]
      }),
      ...saved.map(({ address, label }): [string, string] => [address, label!]),
    ])
  }

  /** Returns names and notes by address (lower case). */
  async function namesAndNotes(db: Db, memberId: bigint): Promise<ReadonlyMap<string, KnownAs>> {
    const [names, notes] = await Promise.all([allNames(db, memberId), members.notes.all(db, memberId)])
    const noted = new Map(notes.map(({ address, note }) => [address, note]))
    return new Map(
      [...new Set([...names.keys(), ...noted.keys()])]
        .sort()
        .map((address) => [address, { name: names.get(address) ?? null, note: noted.get(address) ?? null }]),
    )
  }

  /** Returns the member's own names for some addresses (lower case). */
  async function labels(
    db: Db,
    memberId: bigint,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (addresses.length === 0) return new Map()
    const wanted = new Set(addresses)
    return new Map([...(await allNames(db, memberId))].filter(([address]) => wanted.has(address)))
  }

  async function list(db: Db, memberId: bigint): Promise<AddressBook> {
    const plan = await planNow(db)
    const saved = await repository.savedContacts(db, memberId)
    const recent = await repository.recentContacts(db, memberId, RECENT)
    const switched = await switchOf(db, memberId)
    const on = isSavedOnly(switched, now().getTime())
    const registered = await members.byAddresses(
      db,
      [...saved, ...recent].map(({ address }) => address),
    )
    const viewOf = (row: repository.ContactRow) => contactView(row, plan, registered.has(row.address))
    const offFrom = on && switched.offFromMs !== null ? new Date(switched.offFromMs).toISOString() : null
    return {
      saved: saved.map(viewOf),
      recent: recent.map(viewOf),
      saved_only: { on, off_from: offFrom },
      delay_hours: plan.leaving.savedDelayMs / HOUR_MS,
    }
  }

  return {
    /**
     * Returns the addresses that the member saved and last sent to, and the switch "saved addresses only".
     */
    list,

    /**
     * Describes the receiver at an address, with a warning when an unused address resembles a known one. Throws
     * INVALID_ADDRESS.
     */
    async receiver(db: Db, memberId: bigint, text: string): Promise<Receiver> {
      const address = readAddress(text)
      const { own, book, addresses } = await addressesOf(db, memberId)
      const twin = looksLike(address, addresses)
      const registered = (await members.findByAddress(db, address)) !== undefined
      const unknown = { address, label: null, saved_at: null, last_sent_at: null }
      const names = await labels(db, memberId, twin === null ? [address] : [address, twin])
      return {
        ...contactView(book.get(address) ?? unknown, await planNow(db), registered),
        label: names.get(address) ?? null,
        own: address === own,
        looks_like:
          twin === null ? null : { address: getAddress(twin as Hex), label: names.get(twin) ?? null },
      }
    },

    labels,

    /** Returns the read of the member's own name for an address (lower case) of a member; null for none. */
    labelRead: (address: string, ownerId: bigint | undefined): Read<string | null> =>
      read<string, string | null>(repository.labelOf(address, ownerId), (label) => label ?? null),

    /** Returns all of a member's names and notes, by address. */
    async names(db: Db, memberId: bigint): Promise<AddressName[]> {
      return [...(await namesAndNotes(db, memberId))].map(([address, nameAndNote]) => ({
        address: getAddress(address as Hex),
        ...nameAndNote,
      }))
    },

    /** Returns the addresses (lower case) that a member named, annotated or last sent to. */
    async knownAddresses(db: Db, memberId: bigint): Promise<ReadonlyMap<string, KnownAs>> {
      const namesByAddress = await namesAndNotes(db, memberId)
      const recent = await repository.recentContacts(db, memberId, RECENT)
      return new Map([...recent.map(({ address }) => [address, UNKNOWN] as const), ...namesByAddress])
    },

    /** Sets the note about an address; an empty one deletes it. Throws INVALID_ADDRESS, TOO_MANY_NOTES. */
    async setNote(
      db: Db,
      memberId: bigint,
      { address, note }: { address: string; note: string },
    ): Promise<{ address: string; note: string }> {
      const key = readAddress(address)
      await members.notes.set(db, memberId, { address: key, note })
      return { address: getAddress(key as Hex), note }
    },

    /**
     * Saves an address under a name, or renames it, with the signature of the wallet. Throws INVALID_ADDRESS,
     * SIGNATURE_REQUIRED, NONCE_INVALID, and CONTACTS_FULL above `MAX_SAVED`.
     */
    async save(
      dbTx: Db,
      signer: MemberWallet,
      { address, label }: { address: string; label: string },
      consent?: Consent,
    ): Promise<AddressBook> {
      const key = readAddress(address)
      const { memberId } = signer
      await ledger.lock(dbTx, { memberIds: [memberId] })
      const wish = { kind: 'save_address', address: key, label } as const
      await consents.use(dbTx, signer, { wish, needed: true, consent })
      const saved = await repository.savedContacts(dbTx, memberId)
      const isNew = saved.every((entry) => entry.address !== key)
      if (isNew && saved.length >= MAX_SAVED) throw new AppError('CONTACTS_FULL', { limit: MAX_SAVED })
      const at = now()
      await repository.upsertLabel(dbTx, memberId, { address: key, label, at })
      await notifyOf(dbTx, memberId, {
        topic: 'address_saved',
        facts: { address: getAddress(key as Hex) },
        at,
      })
      return list(dbTx, memberId)
    },

    /** Removes a saved address, with the signature of the wallet; keeps the time of the last payment. Throws as `save`. */
    async remove(dbTx: Db, signer: MemberWallet, address: string, consent?: Consent): Promise<AddressBook> {
      const key = readAddress(address)
      await ledger.lock(dbTx, { memberIds: [signer.memberId] })
      const wish = { kind: 'remove_address', address: key } as const
      await consents.use(dbTx, signer, { wish, needed: true, consent })
      const { memberId } = signer
      await repository.removeContactLabel(dbTx, memberId, key)
      const facts = { address: getAddress(key as Hex) }
      await notifyOf(dbTx, memberId, { topic: 'address_removed', facts, at: now() })
      return list(dbTx, memberId)
    },

    /**
     * Switches "saved addresses only" on at once, or off after the plan's delay, with the signature of the
     * wallet. Throws SIGNATURE_REQUIRED and NONCE_INVALID.
     */
    async setSavedOnly(dbTx: Db, signer: MemberWallet, on: boolean, consent?: Consent): Promise<AddressBook> {
      const { memberId } = signer
      await ledger.lock(dbTx, { memberIds: [memberId] })
      await consents.use(dbTx, signer, { wish: { kind: 'saved_only', on }, needed: true, consent })
      const at = now()
      const before = await switchOf(dbTx, memberId)
      const wasOn = isSavedOnly(before, at.getTime())
      const onSince = new Date(wasOn ? before.onSinceMs! : at)
      if (on) {
        await repository.putSwitch(dbTx, memberId, { on_since: onSince, off_from: null })
        await notifyOf(dbTx, memberId, { topic: 'saved_only_on', facts: {}, at })
      } else if (wasOn && before.offFromMs === null) {
        const offFrom = new Date(afterSavedDelay(at.getTime(), await planNow(dbTx)))
        await repository.putSwitch(dbTx, memberId, { on_since: onSince, off_from: offFrom })
        const facts = { from: offFrom.toISOString() }
        await notifyOf(dbTx, memberId, { topic: 'saved_only_off', facts, at })
      }
      return list(dbTx, memberId)
    },

    /**
     * Records that money was sent to an address (lower case). Returns the member's name for it. The caller
     * holds the head.
     */
    noteSent(dbTx: Db, memberId: bigint, address: string, at: Date): Promise<string | null> {
      return repository.upsertSent(dbTx, memberId, address, at)
    },

    savedBy: repository.addressesSavedBy,
  }
}

/** Writes the notice of a change. Each change is a separate event. */
function notifyOf(dbTx: Db, memberId: bigint, change: Pick<Happened, 'topic' | 'facts' | 'at'>) {
  return notify(dbTx, { memberId, event: `${change.topic}/${randomUUID()}`, ...change })
}

function contactView(row: repository.ContactRow, plan: Plan, registered: boolean): Contact {
  const usableFromMs = row.saved_at === null ? null : afterSavedDelay(row.saved_at.getTime(), plan)
  return {
    address: getAddress(row.address as Hex),
    label: row.label,
    registered,
    last_sent_at: row.last_sent_at?.toISOString() ?? null,
    usable_from: usableFromMs === null ? null : new Date(usableFromMs).toISOString(),
  }
}
