import type { Contact } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { Columns, ListSkeleton, Loaded, Page, Section, Sheet, Skeleton } from '../../../ui/index.ts'
import { groupBook } from '../../../wallet/receiver/address-book.ts'
import { ContactForm } from '../../../wallet/receiver/contact-form.tsx'
import { BookList } from '../addresses/book-list.tsx'
import { AddressNeeds, NewAddress } from '../addresses/new-address.tsx'
import { SavedOnlyCard } from '../addresses/saved-only-card.tsx'
import { isAddressWaiting, WaitingCard } from '../addresses/waiting-card.tsx'

type Edited = Pick<Contact, 'address' | 'label'>

/**
 * The member's address book by groups, and the switch that restricts withdrawals and transfers to saved
 * addresses. Rules, section 10.
 */
export default function AddressesPage() {
  const { t } = useTranslation()
  const contacts = useQuery(apiQuery('contacts'))
  // Names of the team and notes only add to the book, which is also shown without them.
  const names = useQuery(apiQuery('names')).data?.items ?? []
  const { q = '' } = useSearch({ from: '/pages/my/addresses' })
  const [edited, setEdited] = useState<Edited | null>(null)
  return (
    <Page wide title={t('addresses.title')}>
      <Loaded query={contacts} skeleton={<AddressesSkeleton />}>
        {(book) => {
          const waiting = book.saved_only.on ? book.saved.filter(isAddressWaiting) : []
          const usable = book.saved.filter((item) => !waiting.includes(item))
          const isListed = ({ address }: { address: string }) =>
            waiting.every((item) => item.address !== address)
          const listed = groupBook({ saved: usable, recent: book.recent }, names.filter(isListed))
          return (
            <Columns
              side={
                <>
                  <NewAddress
                    hours={book.delay_hours}
                    onAdd={(address) => setEdited({ address, label: null })}
                  />
                  <AddressNeeds />
                </>
              }
            >
              <SavedOnlyCard book={book} />
              {waiting.length > 0 && (
                <Section title={t('addresses.waiting')}>
                  {waiting.map((contact) => (
                    <WaitingCard
                      key={contact.address}
                      contact={contact}
                      hours={book.delay_hours}
                      onEdit={setEdited}
                    />
                  ))}
                </Section>
              )}
              <BookList
                book={listed}
                initial={q}
                onEdit={({ address, contact }) => setEdited({ address, label: contact?.label ?? null })}
              />
            </Columns>
          )
        }}
      </Loaded>
      {edited !== null && (
        <Sheet open onClose={() => setEdited(null)} title={t('receiver.name')}>
          <ContactForm contact={edited} onDone={() => setEdited(null)} />
        </Sheet>
      )}
    </Page>
  )
}

function AddressesSkeleton() {
  return (
    <Columns
      side={
        <>
          <Skeleton className="h-56 rounded-16" />
          <Skeleton className="h-44 rounded-16" />
        </>
      }
    >
      <Skeleton className="h-64 rounded-16" />
      <ListSkeleton rows={2} joined />
    </Columns>
  )
}
