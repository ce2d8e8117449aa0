import { useState } from 'react'
import { formatTime, useTranslation } from '../../../lib/index.ts'
import { Address, Avatar, Card, IconButton, Section, TextField } from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'
import {
  type AddressBook,
  type BookEntry,
  bookSizeOf,
  findIn,
  GROUPS,
  SEARCH_FROM,
} from '../../../wallet/receiver/address-book.ts'
import { HistoryButton } from '../../../wallet/receiver/history-button.tsx'
import { NoteLine } from '../../../wallet/receiver/names.tsx'
import { UsableFrom } from '../../../wallet/receiver/usable-from.tsx'

interface BookListProps {
  book: AddressBook
  /** The initial search text. */
  initial: string
  onEdit: (entry: BookEntry) => void
}

/**
 * The member's own wallet, which can always be paid, and the entries of the address book by groups; with a
 * search if there are many.
 */
export function BookList({ book, initial, onEdit }: BookListProps) {
  const { t } = useTranslation()
  const [text, setText] = useState(initial)
  const matches = findIn(book, text)
  return (
    <>
      {(bookSizeOf(book) >= SEARCH_FROM || initial !== '') && (
        <TextField
          type="search"
          label={t('addresses.search')}
          maxLength={60}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <OwnWallet />
      {GROUPS.filter((group) => matches[group].length > 0).map((group) => (
        <Section key={group} title={t(`addresses.group.${group}`)}>
          <Card className="py-1">
            <ul aria-label={t(`addresses.group.${group}`)} className="divide-y divide-line">
              {matches[group].map((entry) => (
                <Entry key={entry.address} entry={entry} onEdit={onEdit} />
              ))}
            </ul>
          </Card>
        </Section>
      ))}
      <p role="status" className="px-1 text-14 text-muted empty:hidden">
        {bookSizeOf(book) === 0
          ? t('addresses.emptyHint')
          : bookSizeOf(matches) === 0 && t('addresses.notFound')}
      </p>
    </>
  )
}

function OwnWallet() {
  const { t } = useTranslation()
  const own = useOwnAddress()
  return (
    <Section title={t('addresses.group.own')}>
      <Card className="py-1">
        <div className="flex min-h-16 items-center gap-3 py-2">
          <span className="max-[359px]:hidden">
            <Avatar address={own} />
          </span>
          <div className="min-w-0 flex-1">
            <span className="block text-16 font-medium">{t('addresses.own')}</span>
            <Address value={own} className="text-13 text-muted" />
          </div>
          <span className="text-14 text-muted">{t('addresses.always')}</span>
        </div>
      </Card>
    </Section>
  )
}

function Entry({ entry, onEdit }: { entry: BookEntry; onEdit: (entry: BookEntry) => void }) {
  const { t } = useTranslation()
  const { address, label, contact } = entry
  const lastSent = contact?.last_sent_at ?? null
  return (
    <li className="flex min-h-16 items-center gap-3 py-2">
      <span className="max-[359px]:hidden">
        <Avatar address={address} />
      </span>
      <div className="min-w-0 flex-1">
        {label !== null && <span className="block truncate text-16 font-medium">{label}</span>}
        <Address value={address} className={label === null ? 'text-14 font-medium' : 'text-13 text-muted'} />
        <NoteLine address={address} />
        {contact !== null && contact.label !== null && <UsableFrom contact={contact} />}
        {lastSent !== null && (
          <span className="block text-13 text-muted">
            {t('receiver.last', { time: formatTime(lastSent) ?? '' })}
          </span>
        )}
        {contact !== null && (
          <span className="block text-13">
            <HistoryButton address={address} name={label} />
          </span>
        )}
      </div>
      <IconButton
        icon="edit"
        label={t('receiver.nameOf', { name: label ?? address })}
        onClick={() => onEdit(entry)}
      />
    </li>
  )
}
