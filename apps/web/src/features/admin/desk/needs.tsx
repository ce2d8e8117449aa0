import type { DeskToday } from '@rif/api-schema'
import type { UseQueryResult } from '@tanstack/react-query'
import {
  cx,
  formatAmount,
  formatCount,
  isZero,
  PageLink,
  type PlainPath,
  useTranslation,
} from '../../../lib/index.ts'
import { ErrorState, Icon, type IconName, Skeleton } from '../../../ui/index.ts'
import { useAge } from '../components/utc-time.tsx'

interface Need {
  readonly key: string
  readonly to: PlainPath
  readonly icon: IconName
  readonly count: number
  readonly more?: boolean
  readonly title: string
  readonly detail: string
}

/** The operator's waiting tasks: number, amount, and the age of the oldest. */
export function DeskNeeds({ query }: { query: UseQueryResult<DeskToday> }) {
  const { t } = useTranslation()
  const age = useAge()
  if (query.data === undefined) {
    return query.isError ? (
      <ErrorState onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton className="h-96 w-full rounded-12 sm:h-56 xl:h-28" />
    )
  }
  const needs = needsOf(query.data, t, age)
  return (
    <section aria-label={t('desk.needs.title')} className="flex flex-col gap-2">
      <h2 className="px-1 text-17 font-semibold sm:hidden">{t('desk.needs.title')}</h2>
      <ul className="grid gap-1 rounded-16 bg-card p-2 sm:grid-cols-2 xl:grid-cols-4">
        {needs.map(({ key, to, icon, count, more, title, detail }) => (
          <li key={key}>
            <PageLink
              to={to}
              className="flex items-center gap-3 rounded-12 p-3 hover:bg-sunken sm:grid sm:grid-cols-[auto_1fr] sm:gap-y-1"
            >
              <span
                className={cx(
                  'grid size-10 shrink-0 place-items-center rounded-full',
                  count === 0 ? 'bg-sunken text-muted' : 'bg-warn-soft text-warn',
                )}
              >
                <Icon name={icon} size={20} />
              </span>
              <span className="order-last ml-auto text-20 font-semibold tabular-nums sm:order-none sm:text-36">
                {formatCount(count)}
                {more && '+'}
              </span>
              <span className="min-w-0 sm:col-span-2">
                <span className="block text-14 font-medium">{title}</span>
                <span className="block text-12 text-muted">{detail}</span>
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

function needsOf(
  { approvals, withdrawals, refused, redemptions, payments }: DeskToday,
  t: ReturnType<typeof useTranslation>['t'],
  age: (since: string) => string,
): readonly Need[] {
  const none = t('desk.needs.none')
  return [
    {
      key: 'approvals',
      to: '/pages/admin/approvals',
      icon: 'check',
      count: approvals.count,
      more: approvals.more,
      title: t('desk.needs.approvals'),
      detail:
        approvals.oldest_at === null
          ? none
          : t('desk.needs.oldestBy', { age: age(approvals.oldest_at), by: approvals.oldest_by ?? '' }),
    },
    {
      key: 'withdrawals',
      to: '/pages/admin/audit',
      icon: 'withdraw',
      count: withdrawals.count,
      title: t('desk.needs.withdrawals'),
      detail:
        withdrawals.oldest_at === null
          ? none
          : t('desk.needs.oldest', {
              amount: formatAmount(withdrawals.worth_usdt),
              age: age(withdrawals.oldest_at),
            }),
    },
    ...(refused.oldest_at === null
      ? []
      : [
          {
            ...({ key: 'refused', to: '/pages/admin/audit', icon: 'warn' } as const),
            count: refused.count,
            title: t('desk.needs.refused'),
            detail: t('desk.needs.oldest', {
              amount: formatAmount(refused.worth_usdt),
              age: age(refused.oldest_at),
            }),
          },
        ]),
    {
      key: 'redemptions',
      to: '/pages/admin/auditOrder',
      icon: 'fund',
      count: redemptions.count,
      title: t('desk.needs.redemptions'),
      detail:
        redemptions.count === 0
          ? none
          : t('desk.needs.units', {
              units: formatCount(Number(redemptions.units)),
              amount: formatAmount(redemptions.worth_usdt),
            }),
    },
    {
      key: 'payments',
      to: '/pages/admin/auditOrder',
      icon: 'refresh',
      count: Math.max(0, payments.count - payments.proposed),
      title: t('desk.needs.payments'),
      detail: paymentsText(payments, t),
    },
  ]
}

function paymentsText(
  { count, proposed, usdt, amc }: DeskToday['payments'],
  t: ReturnType<typeof useTranslation>['t'],
): string {
  if (count === 0) return t('desk.needs.none')
  const parts = [
    [usdt, 'USDT'],
    [amc, 'AMC'],
  ] as const
  const sums = parts
    .filter(([amount]) => !isZero(amount))
    .map(([amount, unit]) => `${formatAmount(amount)} ${unit}`)
  return proposed > 0
    ? t('desk.needs.proposed', { sums: sums.join(' + '), count: proposed })
    : sums.join(' + ')
}
