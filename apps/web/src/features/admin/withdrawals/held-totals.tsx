import type { RouteData } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { apiQuery, formatAmount, formatCount, useTranslation, WATCH_MS } from '../../../lib/index.ts'
import { presetRange } from '../analytics/range.ts'
import { useToday } from '../components/admin-nav.tsx'
import { useAge } from '../components/utc-time.tsx'

/**
 * The totals of the list: waiting, claimable, total being withdrawn, and today's payments against the daily
 * cap.
 */
export function HeldTotals({ ready }: { ready: RouteData<'auditQueue'>['ready'] | undefined }) {
  const { t } = useTranslation()
  const age = useAge()
  const today = useToday().data
  const day = presetRange('today', new Date())
  const paid = useQuery(apiQuery('analyticsWithdrawals', { query: day })).data
  const bank = useQuery({ ...apiQuery('emergency'), refetchInterval: WATCH_MS }).data
  const usdt = paid?.assets.find(({ asset }) => asset === 'USDT')
  const cap = bank?.watch.caps.find(({ asset }) => asset === 'USDT')?.cap
  const worth = (amount: string) => t('desk.held.worth', { amount: formatAmount(amount) })
  const tiles = [
    {
      label: t('admin.status.Auditing'),
      value: today === undefined ? '–' : formatCount(today.withdrawals.count),
      detail: today === undefined ? '' : worth(today.withdrawals.worth_usdt),
    },
    {
      label: t('admin.status.Withdrawable'),
      value: ready === undefined ? '–' : formatCount(ready.count),
      detail: ready === undefined ? '' : worth(ready.worth_usdt),
    },
    {
      label: t('desk.held.underWay'),
      value: usdt === undefined ? '–' : formatAmount(usdt.under_way),
      detail: 'USDT',
    },
    {
      label: t('desk.held.paidToday'),
      value: usdt === undefined ? '–' : formatAmount(usdt.paid),
      detail:
        usdt === undefined
          ? ''
          : cap === undefined
            ? t('desk.held.payouts', { count: usdt.paid_count })
            : t('desk.held.ofCap', { count: usdt.paid_count, cap: formatAmount(cap) }),
    },
    {
      label: t('desk.held.oldest'),
      value: today?.withdrawals.oldest_at ? age(today.withdrawals.oldest_at) : '–',
      detail: '',
    },
  ]
  return (
    <dl className="grid overflow-hidden rounded-12 bg-card max-sm:grid-cols-2 sm:grid-cols-3 xl:grid-cols-5 xl:divide-x xl:divide-line">
      {tiles.map(({ label, value, detail }) => (
        <div key={label} className="px-4 py-3">
          <dt className="text-12 text-muted">{label}</dt>
          <dd className="text-20 font-semibold tabular-nums">{value}</dd>
          <dd className="text-12 text-muted">{detail}</dd>
        </div>
      ))}
    </dl>
  )
}
