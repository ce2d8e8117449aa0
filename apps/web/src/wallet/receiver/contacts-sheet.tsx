import type { Contact } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { apiQuery, shortAddress, useApiMutation, useTranslation } from '../../lib/index.ts'
import {
  Address,
  Button,
  EmptyState,
  ErrorState,
  IconButton,
  ListSkeleton,
  Sheet,
  TextField,
} from '../../ui/index.ts'

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
        <NameForm contact={edited} onDone={() => setEdited(null)} />
      ) : data === undefined ? (
        isError ? (
          <ErrorState onRetry={() => void refetch()} />
        ) : (
          <ListSkeleton rows={3} />
        )
      ) : data.saved.length + data.recent.length === 0 ? (
        <EmptyState icon="book" title={t('receiver.empty')} hint={t('receiver.emptyHint')} />
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

const MAX_LENGTH = 40

/** The name of one address. */
function NameForm({ contact, onDone }: { contact: Contact; onDone: () => void }) {
  const { t } = useTranslation()
  const [label, setLabel] = useState(contact.label ?? '')
  const refresh = ['contacts', 'receiver', 'transfers'] as const
  const save = useApiMutation('saveContact', { refresh })
  const remove = useApiMutation('removeContact', { refresh })
  const { address } = contact
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (label.trim() !== '') save.mutate({ body: { address, label } }, { onSuccess: onDone })
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={onSubmit}>
      <Address value={address} form="full" copy={false} className="text-14 text-muted" />
      <TextField
        label={t('receiver.nameLabel')}
        maxLength={MAX_LENGTH}
        value={label}
        onChange={(event) => setLabel(event.target.value)}
      />
      <Button type="submit" block busy={save.isPending} disabled={label.trim() === ''}>
        {t('receiver.save')}
      </Button>
      {contact.label !== null && (
        <Button
          variant="danger"
          block
          busy={remove.isPending}
          onClick={() => remove.mutate({ body: { address } }, { onSuccess: onDone })}
        >
          {t('receiver.remove')}
        </Button>
      )}
      <Button variant="secondary" block onClick={onDone}>
        {t('common.back')}
      </Button>
    </form>
  )
}
