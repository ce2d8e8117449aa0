import type { Contact, RouteData } from '@rif/api-schema'
import { formatMicros } from '@rif/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  apiQuery,
  findAddress,
  formatAmount,
  formatTime,
  PageLink,
  usePlan,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Address,
  Avatar,
  addressText,
  Button,
  buttonClass,
  Card,
  CardSection,
  Columns,
  checkOf,
  Fact,
  Facts,
  Form,
  HelpLink,
  Icon,
  IconButton,
  ListSkeleton,
  Loaded,
  Meter,
  Notice,
  Page,
  Pill,
  Section,
  Sheet,
  Skeleton,
  Switch,
  TextField,
  useDraftForm,
} from '../../../ui/index.ts'
import { useOwnAddress } from '../../../wallet/balances.ts'
import { useSignedMutation } from '../../../wallet/member-consent.ts'
import { ContactForm } from '../../../wallet/receiver/contact-form.tsx'
import { HistoryButton } from '../../../wallet/receiver/history-button.tsx'
import { UsableFrom } from '../../../wallet/receiver/usable-from.tsx'

type Edited = Pick<Contact, 'address' | 'label'>

/** The member's saved addresses, and the switch that lets withdrawals and transfers go to no others. Rules, section 10. */
export default function AddressesPage() {
  const { t } = useTranslation()
  const contacts = useQuery(apiQuery('contacts'))
  const [edited, setEdited] = useState<Edited | null>(null)
  return (
    <Page wide title={t('addresses.title')}>
      <Loaded query={contacts} skeleton={<AddressesSkeleton />}>
        {(book) => {
          const waiting = book.saved_only.on ? book.saved.filter(isWaiting) : []
          return (
            <Columns
              side={
                <>
                  <NewAddress
                    hours={book.delay_hours}
                    onAdd={(address) => setEdited({ address, label: null })}
                  />
                  <Needs />
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
              <Section title={t('receiver.saved')}>
                <SavedList saved={book.saved.filter((one) => !waiting.includes(one))} onEdit={setEdited} />
              </Section>
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

/** Reports whether a saved address cannot be used yet. */
const isWaiting = ({ usable_from }: Contact) => usable_from !== null && Date.parse(usable_from) > Date.now()

const RULES = [
  ['new', 'clock'],
  ['off', 'lock'],
  ['signature', 'key'],
] as const

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
      <p className="-mt-2 text-14 text-muted">{t('addresses.onlyHint')}</p>
      {on && offFrom !== null && (
        <Notice
          tone="warn"
          title={t('addresses.goingOff', { at: formatTime(offFrom) ?? '' })}
          action={<HelpLink about="addresses.waits" />}
        >
          {t('addresses.goingOffText')}
        </Notice>
      )}
      <ul className="flex flex-col gap-3 border-t border-line pt-3 text-14">
        {RULES.map(([name, icon]) => (
          <li key={name} className="flex gap-3">
            <Icon name={icon} size={20} className="text-muted" />
            {t(`addresses.rule.${name}`, { hours: book.delay_hours })}
          </li>
        ))}
      </ul>
    </Card>
  )
}

const HOUR_MS = 3_600_000

/** An address that was saved lately: how much of its wait is over, and what to do if it was somebody else. */
function WaitingCard({ contact, hours, onEdit }: ContactProps & { hours: number }) {
  const { t } = useTranslation()
  const { address, label, usable_from } = contact
  const left = Date.parse(usable_from ?? '') - Date.now()
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center gap-3">
        <Avatar address={address} />
        <div className="min-w-0 flex-1">
          <span className="block truncate text-16 font-medium">{label}</span>
          <Address value={address} className="text-13 text-muted" />
        </div>
        <Pill tone="warn">{t('addresses.waits')}</Pill>
      </div>
      <div className="flex flex-col gap-2">
        <Meter
          label={t('addresses.waiting')}
          share={1 - left / (hours * HOUR_MS)}
          text={t('receiver.usableFrom', { at: formatTime(usable_from ?? '') ?? '' })}
        />
        <UsableFrom contact={contact} />
      </div>
      <p className="text-14">{t('addresses.notYou')}</p>
      <div className="grid grid-cols-2 gap-3">
        <Button variant="danger" block onClick={() => onEdit(contact)}>
          {t('addresses.edit')}
        </Button>
        <PageLink to="/pages/my/sessions" className={buttonClass('secondary', true)}>
          {t('addresses.sessions')}
        </PageLink>
      </div>
    </Card>
  )
}

interface ContactProps {
  contact: Contact
  onEdit: (contact: Contact) => void
}

/** The own wallet, which can always be paid, and the addresses that can be used now. */
function SavedList({ saved, onEdit }: { saved: readonly Contact[]; onEdit: (contact: Contact) => void }) {
  const { t } = useTranslation()
  const own = useOwnAddress()
  return (
    <Card className="py-1">
      <ul aria-label={t('receiver.saved')} className="divide-y divide-line">
        <li className="flex min-h-16 items-center gap-3 py-2">
          <span className="max-[359px]:hidden">
            <Avatar address={own} />
          </span>
          <div className="min-w-0 flex-1">
            <span className="block text-16 font-medium">{t('addresses.own')}</span>
            <Address value={own} className="text-13 text-muted" />
          </div>
          <span className="text-14 text-muted">{t('addresses.always')}</span>
        </li>
        {saved.map((contact) => (
          <li key={contact.address} className="flex min-h-16 items-center gap-3 py-2">
            <span className="max-[359px]:hidden">
              <Avatar address={contact.address} />
            </span>
            <div className="min-w-0 flex-1">
              <span className="block truncate text-16 font-medium">{contact.label}</span>
              <Address value={contact.address} className="text-13 text-muted" />
              <UsableFrom contact={contact} />
              <span className="block text-13">
                <HistoryButton address={contact.address} name={contact.label} />
              </span>
            </div>
            <IconButton
              icon="edit"
              label={t('receiver.nameOf', { name: contact.label ?? '' })}
              onClick={() => onEdit(contact)}
            />
          </li>
        ))}
      </ul>
      {saved.length === 0 && (
        <p className="border-t border-line py-3 text-14 text-muted">{t('addresses.emptyHint')}</p>
      )}
    </Card>
  )
}

/** Shows which payments need the member's signature, and which a person checks. */
function Needs() {
  const { t } = useTranslation()
  const plan = usePlan()
  return (
    <Loaded query={plan} skeleton={<Skeleton className="h-44 rounded-16" />}>
      {({ leaving, withdrawal }) => {
        const whole = (micros: bigint) => formatAmount(formatMicros(micros), { min: 0, max: 2 })
        const figures = { free: whole(leaving.signAboveMicros), review: whole(withdrawal.auditAboveMicros) }
        return (
          <CardSection title={t('addresses.needs.title')}>
            <Facts>
              {(['nothing', 'signature', 'review'] as const).map((name) => (
                <Fact key={name} label={t(`addresses.needs.${name}.what`, figures)}>
                  {t(`addresses.needs.${name}.need`)}
                </Fact>
              ))}
            </Facts>
          </CardSection>
        )
      }}
    </Loaded>
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
