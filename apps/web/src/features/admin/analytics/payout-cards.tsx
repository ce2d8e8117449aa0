import type { AdminPending, PendingKind } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import {
  apiQuery,
  formatAmount,
  formatCount,
  formatDay,
  formatPrice,
  PageLink,
  type PlainPath,
  useTranslation,
  WATCH_MS,
} from '../../../lib/index.ts'
import { Icon, Notice, Pill } from '../../../ui/index.ts'
import { UtcTime } from '../components/utc-time.tsx'
import { DayBars, FigureCard, FigureTable } from './figure-card.tsx'
import type { AnalyticsRange } from './range.ts'

/** The requested withdrawals and their outcomes. */
export function WithdrawalsCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsWithdrawals', { query: range }))
  return (
    <FigureCard
      wide
      title={t('adminAnalytics.withdrawals.title')}
      query={query}
      csv={{ name: 'analyticsWithdrawals', query: range }}
    >
      {({ assets, days }) => (
        <>
          <FigureTable
            caption={t('adminAnalytics.withdrawals.title')}
            head={[t('adminAnalytics.withdrawals.step'), ...assets.map(({ asset }) => asset)]}
            rows={(['requested', 'paid', 'fees', 'returned', 'under_way'] as const).map((name) => ({
              key: name,
              cells: [
                t(`adminAnalytics.withdrawals.${name}`),
                ...assets.map((row) => (
                  <span key={row.asset}>
                    {formatAmount(row[name])}
                    {(name === 'requested' || name === 'paid' || name === 'returned') && (
                      <span className="ml-2 text-12 text-muted">
                        {`× ${formatCount(row[`${name}_count`])}`}
                      </span>
                    )}
                  </span>
                )),
              ],
            }))}
          />
          <DayBars
            label={t('adminAnalytics.withdrawals.chart')}
            unit="USDT"
            legend={[
              { tone: 'accent', label: t('adminAnalytics.withdrawals.paid') },
              { tone: 'muted', label: t('adminAnalytics.withdrawals.unpaid') },
            ]}
            days={days
              .filter(({ asset }) => asset === 'USDT')
              .map((row) => ({
                day: row.day,
                parts: [
                  { value: Number(row.paid) + Number(row.fees), tone: 'accent' },
                  {
                    value: Math.max(0, Number(row.requested) - Number(row.paid) - Number(row.fees)),
                    tone: 'muted',
                  },
                ],
                text: t('adminAnalytics.withdrawals.day', {
                  day: formatDay(row.day),
                  requested: formatAmount(row.requested),
                  paid: formatAmount(row.paid),
                }),
              }))}
          />
        </>
      )}
    </FigureCard>
  )
}

/** The fund's products: value, purchases and redemptions. */
export function FundCard({ range }: { range: AnalyticsRange }) {
  const { t } = useTranslation()
  const query = useQuery(apiQuery('analyticsFund', { query: range }))
  return (
    <FigureCard
      wide="all"
      title={t('adminAnalytics.fund.title')}
      query={query}
      csv={{ name: 'analyticsFund', query: range }}
    >
      {({ products, purchase_fees: fees }) =>
        products.length === 0 ? (
          <p className="text-14 text-muted">{t('adminAnalytics.fund.none')}</p>
        ) : (
          <>
            <FigureTable
              stacks
              caption={t('adminAnalytics.fund.title')}
              head={(
                [
                  'product',
                  'units',
                  'nav',
                  'value',
                  'cash',
                  'invested',
                  'purchased',
                  'redeemed',
                  'waiting',
                ] as const
              ).map((name) => t(`adminAnalytics.fund.${name}`))}
              rows={products.map((product) => ({
                key: product.product_id,
                cells: [
                  product.name,
                  formatCount(product.units),
                  formatPrice(product.nav),
                  formatAmount(product.value),
                  formatAmount(product.cash),
                  formatAmount(product.invested),
                  `${formatAmount(product.purchased)} × ${formatCount(product.purchases)}`,
                  `${formatAmount(product.redeemed)} × ${formatCount(product.redemptions)}`,
                  formatCount(product.waiting_redemptions),
                ],
              }))}
            />
            <p className="text-12 text-muted">
              {t('adminAnalytics.fund.fees', { amount: formatAmount(fees) })}
            </p>
          </>
        )
      }
    </FigureCard>
  )
}

/** The page on which each kind of work is done. */
/** The page on which each kind of pending work is done. */
export const PENDING_PAGES: Readonly<Record<PendingKind, PlainPath>> = {
  proposal: '/pages/admin/approvals',
  paused: '/pages/admin/emergency',
  withdrawal_audit: '/pages/admin/audit',
  attestation: '/pages/admin/rewardDistribution',
  grant: '/pages/admin/distrubutionHash',
  exchange_terms: '/pages/admin/approvals',
  launch: '/pages/admin/approvals',
  fund_product: '/pages/admin/updateFound',
  redemption_review: '/pages/admin/auditOrder',
  redemption_cash: '/pages/admin/auditOrder',
  suspense: '/pages/admin/auditOrder',
  unmatched_claim: '/pages/admin/auditOrder',
  settlement_late: '/pages/admin/rewardDistribution',
  settlement_uncovered: '/pages/admin/rewardDistribution',
  nav_stale: '/pages/admin/updateFound',
  indexer: '/pages/admin/emergency',
}

/** The work that waits for an admin, or a note that there is none. */
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
              day: settledTo === null ? '–' : formatDay(settledTo),
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
  const path = PENDING_PAGES[item.kind]
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
    <span className="text-12 text-muted max-sm:-mt-1 max-sm:pb-1.5">
      <UtcTime value={item.oldest_at} />
    </span>
  )
  return (
    <div className="relative flex min-h-11 flex-wrap items-center gap-x-3 py-1 pr-7">
      <PageLink to={path} className="flex min-h-11 min-w-0 flex-1 items-center gap-3 max-sm:basis-full">
        {text}
        <Icon name="forward" size={16} className="absolute right-0 text-muted" />
      </PageLink>
      {since}
    </div>
  )
}
