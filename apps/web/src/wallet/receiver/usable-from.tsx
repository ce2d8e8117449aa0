import type { Contact } from '@rif/api-schema'
import { formatTime, useTranslation } from '../../lib/index.ts'

/** The time from which a new address can be used while only saved ones can; nothing afterwards. */
export function UsableFrom({ contact: { usable_from } }: { contact: Pick<Contact, 'usable_from'> }) {
  const { t } = useTranslation()
  if (usable_from === null || Date.parse(usable_from) <= Date.now()) return null
  return (
    <span className="block text-12 text-muted">
      {/* The date stays in one line. */}
      {t('receiver.usableFrom', { at: formatTime(usable_from) ?? '' })}
    </span>
  )
}
