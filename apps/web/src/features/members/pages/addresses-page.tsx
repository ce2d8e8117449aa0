import type { Contact, RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, findAddress, formatTime, useTranslation } from '../../../lib/index.ts'
import {
  Address,
  addressText,
  Button,
  Card,
  checkOf,
  EmptyState,
  Form,
  IconButton,
  Loaded,
  Notice,
  Page,
  Section,
  Sheet,
  Skeleton,
  Switch,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { ContactForm } from '../../../wallet/receiver/contact-form.tsx'
import { UsableFrom } from '../../../wallet/receiver/usable-from.tsx'

type Edited = Pick<Contact, 'address' | 'label'>

/** The member's saved addresses, and the switch that lets withdrawals and transfers go to no others. Rules, section 10. */
export default function AddressesPage() {
  const { t } = useTranslation()
  const contacts = useQuery(apiQuery('contacts'))
  const [edited, setEdited] = useState<Edited | null>(null)
  return (
    <Page title={t('addresses.title')}>
      <Loaded query={contacts} skeleton={<Skeleton className="h-79 rounded-12" />}>
        {(book) => (
          <>
            <SavedOnlyCard book={book} />
            <Section title={t('receiver.saved')}>
              <SavedList saved={book.saved} onEdit={setEdited} />
            </Section>
            <NewAddress hours={book.delay_hours} onAdd={(address) => setEdited({ address, label: null })} />
          </>
        )}
      </Loaded>
      {edited !== null && (
        <Sheet open onClose={() => setEdited(null)} title={t('receiver.name')}>
          <ContactForm contact={edited} onDone={() => setEdited(null)} />
        </Sheet>
      )}
    </Page>
  )
}

/** Switches "saved addresses only" on at once, or off after the delay. The wallet signs both. */
function SavedOnlyCard({ book }: { book: RouteData<'contacts'> }) {
  const { t } = useTranslation()
  const { on, off_from: offFrom } = book.saved_only
  const change = useSignedMutation('setSavedOnly', { refresh: ['contacts'] })
  const set = (next: boolean) =>
    change.send({ body: { on: next }, wish: { kind: 'saved_only', on: next }, needed: true }, () => undefined)
  return (
    <Card className="flex flex-col gap-3">
      <Switch
        label={t('addresses.only')}
        checked={on && offFrom === null}
        disabled={change.isPending || !change.isReady}
        onChange={set}
      />
      <p className="text-14 text-muted">{t('addresses.onlyText', { hours: book.delay_hours })}</p>
      {on && offFrom !== null && (
        <Notice tone="warn" title={t('addresses.goingOff', { at: formatTime(offFrom) ?? '' })}>
          {t('addresses.goingOffText')}
        </Notice>
      )}
    </Card>
  )
}

function SavedList({ saved, onEdit }: { saved: readonly Contact[]; onEdit: (contact: Contact) => void }) {
  const { t } = useTranslation()
  if (saved.length === 0) {
    return (
      <Card>
        <EmptyState icon="book" title={t('receiver.empty')} hint={t('addresses.emptyHint')} />
      </Card>
    )
  }
  return (
    <Card className="py-1">
      <ul aria-label={t('receiver.saved')} className="divide-y divide-line">
        {saved.map((contact) => (
          <li key={contact.address} className="flex min-h-14 items-center gap-3 py-2">
            <div className="min-w-0 flex-1">
              <span className="block truncate text-16">{contact.label}</span>
              <Address value={contact.address} className="text-14 text-muted" />
              <UsableFrom contact={contact} />
            </div>
            <IconButton
              icon="edit"
              label={t('receiver.nameOf', { name: contact.label ?? '' })}
              onClick={() => onEdit(contact)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function NewAddress({ hours, onAdd }: { hours: number; onAdd: (address: string) => void }) {
  const { t } = useTranslation()
  const form = useDraftForm({
    initial: { address: '' },
    check: ({ address }) => checkOf('address', judgeAddress(address)),
    text: (problem, { address }) =>
      problem === 'required' ? t('addresses.required') : addressText(t, address),
  })
  return (
    <Section title={t('addresses.add')}>
      <Card>
        <Form
          onSubmit={form.submit(({ address }) => {
            form.reset()
            onAdd(address)
          })}
        >
          <TextField
            label={t('addresses.address')}
            placeholder="0x…"
            autoCapitalize="off"
            spellCheck={false}
            {...form.textField('address')}
            hint={t('addresses.addHint', { hours })}
          />
          <Button type="submit" variant="secondary" block>
            {t('addresses.add')}
          </Button>
        </Form>
      </Card>
    </Section>
  )
}

function judgeAddress(
  typed: string,
): { ok: true; address: string } | { ok: false; problem: 'required' | 'invalid' } {
  if (typed.trim() === '') return { ok: false, problem: 'required' }
  const address = findAddress(typed)
  return address === null ? { ok: false, problem: 'invalid' } : { ok: true, address }
}
