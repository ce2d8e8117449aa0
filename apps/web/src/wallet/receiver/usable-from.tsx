import type { Contact } from '@rif/api-schema'
import { useState } from 'react'
import { useTranslation } from '../../lib/index.ts'
import { Countdown } from '../../ui/index.ts'

/** The time left until a new address can be used while only saved ones can; nothing afterwards. */
export function UsableFrom({ contact: { usable_from } }: { contact: Pick<Contact, 'usable_from'> }) {
  const { t } = useTranslation()
  const [isOver, setOver] = useState(usable_from === null || Date.parse(usable_from) <= Date.now())
  if (isOver || usable_from === null) return null
  return (
    <span className="block text-12 text-muted">
      {t('receiver.usableIn')} <Countdown until={usable_from} warnBelowMs={0} onEnd={() => setOver(true)} />
    </span>
  )
}
