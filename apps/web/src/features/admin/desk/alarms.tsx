import type { AdminPending } from '@rif/api-schema'
import { PageLink, useTranslation } from '../../../lib/index.ts'
import { Icon } from '../../../ui/index.ts'
import { PENDING_PAGES } from '../analytics/payout-cards.tsx'

/** Shown with their figures above. */
const COUNTED: readonly string[] = ['proposal', 'withdrawal_audit', 'redemption_review', 'suspense']

/** All other pending or blocked items, alarms first; nothing while all is well. */
export function Alarms({ items }: { items: AdminPending['items'] }) {
  const { t } = useTranslation()
  const others = items.filter(({ kind }) => !COUNTED.includes(kind))
  if (others.length === 0) return null
  return (
    <section aria-label={t('desk.also')} className="rounded-12 bg-card px-4 py-1">
      <ul className="divide-y divide-line">
        {others.map(({ kind, severity, count, subject }) => (
          <li key={`${kind} ${subject}`}>
            <PageLink to={PENDING_PAGES[kind]} className="flex min-h-11 items-center gap-3 py-2 text-14">
              <Icon
                name={severity === 'alarm' ? 'warn' : 'clock'}
                size={20}
                className={severity === 'alarm' ? 'text-bad' : 'text-muted'}
              />
              <span className="min-w-0 flex-1">
                <span className="sr-only">{t(`adminAnalytics.pending.severity_${severity}`)}: </span>
                {t(`adminAnalytics.pending.${kind}`, { count })}
                {subject !== null && <span className="wrap-anywhere text-muted"> · {subject}</span>}
              </span>
              <Icon name="forward" size={16} className="text-muted" />
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  )
}
