import type { Contact } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, shortAddress, useTranslation } from '../../lib/index.ts'
import { EmptyState, ErrorState, IconButton, ListSkeleton, Sheet } from '../../ui/index.ts'
import { ContactForm } from './contact-form.tsx'
import { UsableFrom } from './usable-from.tsx'

export interface ContactsSheetProps {
  onPick: (address: string) => void
  onClose: () => void
}

/** The member's own address book: names given, and who was sent to last. A name can be given, changed and taken away. */
export default function ContactsSheet({ onPick, onClose }: ContactsSheetProps) {
  const { t } = useTranslation()
  const { data, isError, refetch } = useQuery(apiQuery('contacts'))
  const [edited, setEdited] = useState<Contact | null>(null)
  const title = edited === null ? t('receiver.contacts') : t('receiver.name')
  return (
    <Sheet open onClose={onClose} title={title} description={t('receiver.private')}>
      {edited !== null ? (
        <ContactForm contact={edited} onDone={() => setEdited(null)} />
      ) : data === undefined ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton rows={3} />
        )
      ) : data.saved.length + data.recent.length === 0 ? (
        <EmptyState
          icon="book"
          title={t('receiver.empty')}
          hint={t('receiver.emptyHint')}
          next={{ to: '/pages/my/addresses', label: t('addresses.add') }}
        />
      ) : (
        <div className="flex flex-col gap-4">
          <Contacts title={t('receiver.saved')} contacts={data.saved} onPick={onPick} onEdit={setEdited} />
          <Contacts
            title={t('receiver.recent')}
            contacts={data.recent.filter(({ label }) => label === null)}
            onPick={onPick}
            onEdit={setEdited}
          />
        </div>
      )}
    </Sheet>
  )
}

interface ContactsProps {
  title: string
  contacts: readonly Contact[]
  onPick: (address: string) => void
  onEdit: (contact: Contact) => void
}

function Contacts({ title, contacts, onPick, onEdit }: ContactsProps) {
  const { t } = useTranslation()
  if (contacts.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="text-14 text-muted">{title}</h3>
      <ul className="divide-y divide-line">
        {contacts.map((contact) => {
          const short = shortAddress(contact.address)
          return (
            <li key={contact.address} className="flex items-center">
              <button
                type="button"
                className="min-h-14 min-w-0 flex-1 py-2 text-left"
                onClick={() => onPick(contact.address)}
              >
                {contact.label !== null && <span className="block truncate text-16">{contact.label}</span>}
                <span className="block truncate text-14 text-muted">{short}</span>
                <UsableFrom contact={contact} />
              </button>
              <IconButton
                icon="edit"
                label={t('receiver.nameOf', { name: contact.label ?? short })}
                onClick={() => onEdit(contact)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
