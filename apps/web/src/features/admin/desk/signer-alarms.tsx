import type { DeskToday } from '@rif/api-schema'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'

/** The alarms of the signing process; nothing while all is well. */
export function SignerAlarms({ today }: { today: DeskToday | undefined }) {
  const { t } = useTranslation()
  const alarms = today?.signer ?? []
  if (alarms.length === 0) return null
  return (
    <ul className="divide-y divide-line rounded-12 bg-card px-4 py-1">
      {alarms.map(({ kind, detail }) => (
        <li key={kind}>
          <PageLink to="/pages/admin/emergency" className="flex min-h-11 items-center gap-3 py-2 text-14">
            <Icon name="warn" size={20} className="text-bad" />
            <span className="min-w-0 flex-1">
              {t(`admin.emergency.watch.alarm.${kind}`)}
              <span className="wrap-anywhere block text-12 text-muted">{detail}</span>
            </span>
            <Icon name="forward" size={16} className="text-muted" />
          </PageLink>
        </li>
      ))}
    </ul>
  )
}
