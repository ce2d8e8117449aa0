import type { Contact } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, shortAddress, useTranslation } from '../../lib/index.ts'
import { EmptyState, ErrorState, IconButton, ListSkeleton, Sheet, TextField } from '../../ui/index.ts'
import {
  type AddressBook,
  type BookEntry,
  bookSizeOf,
  findIn,
  GROUPS,
  groupBook,
  SEARCH_FROM,
} from './address-book.ts'
import { ContactForm } from './contact-form.tsx'
import { NoteLine } from './names.tsx'
import { UsableFrom } from './usable-from.tsx'

export interface ContactsSheetProps {
  onPick: (address: string) => void
  onClose: () => void
}

/** The member's own address book by groups, to pick from. A name and a note can be given, changed and taken away. */
export default function ContactsSheet({ onPick, onClose }: ContactsSheetProps) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('contacts'))
  const names = useQuery(apiQuery('names')).data?.items ?? []
  const [edited, setEdited] = useState<Pick<Contact, 'address' | 'label'> | null>(null)
  const title = edited === null ? t('receiver.contacts') : t('receiver.name')
  // Names of the team and notes need no signature: a stolen session must not add an address to pick from.
  const book = data && { ...groupBook(data, names), team: [] }
  return (
    <Sheet open onClose={onClose} title={title} description={t('receiver.private')}>
      {edited !== null ? (
        <ContactForm contact={edited} onDone={() => setEdited(null)} />
      ) : book === undefined ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton rows={3} />
        )
      ) : bookSizeOf(book) === 0 ? (
        <EmptyState
          icon="book"
          title={t('receiver.empty')}
          hint={t('receiver.emptyHint')}
          next={{ to: '/pages/my/addresses', label: t('addresses.add') }}
        />
      ) : (
        <Book
          book={book}
          onPick={onPick}
          onEdit={({ address, contact }) => setEdited({ address, label: contact?.label ?? null })}
        />
      )}
    </Sheet>
  )
}

interface BookProps {
  book: AddressBook
  onPick: (address: string) => void
  onEdit: (entry: BookEntry) => void
}

function Book({ book, onPick, onEdit }: BookProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const matches = findIn(book, text)
  return (
    <div className="flex flex-col gap-4">
      {bookSizeOf(book) >= SEARCH_FROM && (
        <TextField
          type="search"
          label={t('addresses.search')}
          maxLength={60}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {GROUPS.filter((group) => matches[group].length > 0).map((group) => (
        <section key={group} aria-label={t(`addresses.group.${group}`)}>
          <h3 className="text-14 text-muted">{t(`addresses.group.${group}`)}</h3>
          <ul className="divide-y divide-line">
            {matches[group].map((entry) => (
              <Entry key={entry.address} entry={entry} onPick={onPick} onEdit={onEdit} />
            ))}
          </ul>
        </section>
      ))}
      <p role="status" className="text-14 text-muted empty:hidden">
        {bookSizeOf(matches) === 0 && t('addresses.notFound')}
      </p>
    </div>
  )
}

function Entry({ entry, onPick, onEdit }: Omit<BookProps, 'book'> & { entry: BookEntry }) {
  const { t } = useTranslation()
  const { address, label, contact } = entry
  const short = shortAddress(address)
  return (
    <li className="flex items-center">
      <button
        type="button"
        className="min-h-14 min-w-0 flex-1 py-2 text-left"
        onClick={() => onPick(address)}
      >
        {label !== null && <span className="block truncate text-16">{label}</span>}
        <span className="block truncate text-14 text-muted">{short}</span>
        <NoteLine address={address} />
        {contact !== null && <UsableFrom contact={contact} />}
      </button>
      <IconButton
        icon="edit"
        label={t('receiver.nameOf', { name: label ?? short })}
        onClick={() => onEdit(entry)}
      />
    </li>
  )
}
