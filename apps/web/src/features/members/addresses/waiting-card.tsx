import type { Contact } from '@rif/api-schema'
import { formatTime, PageLink, useTranslation } from '../../../lib/index.ts'
import { Address, Avatar, Button, buttonClass, Card, Meter, Pill } from '../../../ui/index.ts'
import { NoteLine } from '../../../wallet/receiver/names.tsx'
import { UsableFrom } from '../../../wallet/receiver/usable-from.tsx'

/** Reports whether a saved address cannot be used yet. */
export const isAddressWaiting = ({ usable_from }: Contact) =>
  usable_from !== null && Date.parse(usable_from) > Date.now()

const HOUR_MS = 3_600_000

interface WaitingCardProps {
  contact: Contact
  /** The total waiting time. */
  hours: number
  onEdit: (contact: Contact) => void
}

/**
 * A recently saved address: the elapsed part of its waiting time, and the steps to take if another person
 * saved it.
 */
export function WaitingCard({ contact, hours, onEdit }: WaitingCardProps) {
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
          <NoteLine address={address} />
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
