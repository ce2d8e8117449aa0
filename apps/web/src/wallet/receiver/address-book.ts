import type { AddressName, Contact, RouteData } from '@rif/api-schema'
import { plainText } from '../../lib/index.ts'

/** An address of the book, by which part it stands in. */
export interface BookEntry {
  readonly address: string
  readonly label: string | null
  readonly note: string | null
  /** The saved or used entry; null for one that has only a name of the team or a note. */
  readonly contact: Contact | null
}

/** The parts of the book in the order of the page. */
export const GROUPS = ['members', 'others', 'used', 'team'] as const
export type Group = (typeof GROUPS)[number]

/** From this number of entries on, the book has a search. */
export const SEARCH_FROM = 8

export type AddressBook = Readonly<Record<Group, readonly BookEntry[]>>

/**
 * Returns the book by parts: saved wallets of members, other saved addresses, those used without being saved, and those that only
 * have a name or a note, such as members of the team. Each address stands in one part.
 */
export function groupBook(
  { saved, recent }: Pick<RouteData<'contacts'>, 'saved' | 'recent'>,
  names: readonly AddressName[],
): AddressBook {
  const notes = new Map(names.map(({ address, note }) => [address, note]))
  const entry = (contact: Contact): BookEntry => ({
    address: contact.address,
    label: contact.label,
    note: notes.get(contact.address) ?? null,
    contact,
  })
  const used = recent.filter(({ label }) => label === null)
  const shownAddresses = new Set([...saved, ...used].map(({ address }) => address))
  const nameOf = new Map(names.map(({ address, name }) => [address, name]))
  return {
    members: saved.filter(({ registered }) => registered).map(entry),
    others: saved.filter(({ registered }) => !registered).map(entry),
    used: used.map((contact) => ({ ...entry(contact), label: nameOf.get(contact.address) ?? null })),
    team: names
      .filter(({ address }) => !shownAddresses.has(address))
      .map(({ address, name, note }) => ({ address, label: name, note, contact: null }))
      .sort((left, right) => (left.label ?? '￿').localeCompare(right.label ?? '￿')),
  }
}

/** Returns the number of entries. */
export const bookSizeOf = (book: AddressBook) => GROUPS.reduce((sum, group) => sum + book[group].length, 0)

/** Returns the entries whose name, note or address contains a text, ignoring case. */
export function findIn(book: AddressBook, text: string): AddressBook {
  const wanted = plainText(text).toLocaleLowerCase()
  if (wanted === '') return book
  const isMatch = ({ address, label, note }: BookEntry) =>
    [address, label, note].some((part) => part?.toLocaleLowerCase().includes(wanted))
  return Object.fromEntries(GROUPS.map((group) => [group, book[group].filter(isMatch)])) as Record<
    Group,
    BookEntry[]
  >
}
