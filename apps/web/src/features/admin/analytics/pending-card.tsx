import type { AdminPending, PendingKind } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatCount,
  PageLink,
  type PlainPath,
  useTranslation,
  WATCH_MS,
} from '../../../lib/index.ts'
import { Icon, Notice, Pill, Time } from '../../../ui/index.ts'
import { FigureCard } from './figure-card.tsx'

/** Where each thing is worked off. */
const PAGE_OF: Readonly<Record<PendingKind, PlainPath>> = {
  proposal: '/pages/admin/approvals',
  paused: '/pages/admin/emergency',
  withdrawal_audit: '/pages/admin/audit',
  attestation: '/pages/admin/rewardDistribution',
  grant: '/pages/admin/distrubutionHash',
  exchange_terms: '/pages/admin/approvals',
  launch: '/pages/admin/approvals',
  fund_product: '/pages/admin/updateFound',
  nav: '/pages/admin/updateFound',
  redemption_review: '/pages/admin/auditOrder',
  redemption_cash: '/pages/admin/auditOrder',
  suspense: '/pages/admin/auditOrder',
  unmatched_claim: '/pages/admin/auditOrder',
  settlement_late: '/pages/admin/rewardDistribution',
  settlement_uncovered: '/pages/admin/rewardDistribution',
  nav_stale: '/pages/admin/updateFound',
  indexer: '/pages/admin/emergency',
}

/** What needs an admin; or that all is well. */
export function PendingCard() {
  const { t } = useTranslation()
  const query = useQuery({ ...apiQuery('adminPending'), refetchInterval: WATCH_MS })
  return (
    <FigureCard title={t('adminAnalytics.pending.title')} query={query} wide>
      {({ items, settled_to: settledTo, indexer_lag_blocks: lag }) => (
        <>
          {items.length === 0 ? (
            <Notice tone="good">{t('adminAnalytics.pending.well')}</Notice>
          ) : (
            <ul className="flex flex-col divide-y divide-line">
              {items.map((item) => (
                <li key={`${item.kind} ${item.subject}`}>
                  <PendingRow item={item} />
                </li>
              ))}
            </ul>
          )}
          <p className="text-12 text-muted">
            {t('adminAnalytics.pending.state', {
              day: settledTo ?? '–',
              lag: lag === null ? '–' : formatCount(lag),
            })}
          </p>
        </>
      )}
    </FigureCard>
  )
}

function PendingRow({ item }: { item: AdminPending['items'][number] }) {
  const { t } = useTranslation()
  const path = PAGE_OF[item.kind]
  const title = t(`adminAnalytics.pending.${item.kind}`, { count: item.count })
  const text = (
    <>
      <Pill tone={item.severity === 'alarm' ? 'bad' : 'warn'}>
        {t(`adminAnalytics.pending.severity_${item.severity}`)}
      </Pill>
      <span className="min-w-0 flex-1 text-14">
        {title}
        {item.subject !== null && <span className="block truncate text-12 text-muted">{item.subject}</span>}
      </span>
    </>
  )
  const since = item.oldest_at !== null && (
    <span className="text-12 text-muted">
      <Time value={item.oldest_at} />
    </span>
  )
  return (
    <div className="flex min-h-11 items-center gap-3 py-1">
      <PageLink to={path} className="flex min-h-11 min-w-0 flex-1 items-center gap-3">
        {text}
        <Icon name="forward" size={16} className="text-muted" />
      </PageLink>
      {since}
    </div>
  )
}
