import type { ActivityDetail } from '@rif/api-schema'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { apiQuery, formatExact, formatTimeExact, useTranslation } from '../../../lib/index.ts'
import {
  Card,
  Columns,
  ErrorState,
  Icon,
  ListSkeleton,
  Money,
  Page,
  Pill,
  ReceiptButtons,
  type ReceiptLine,
  Time,
  TokenMark,
} from '../../../ui/index.ts'
import { activityLook, isEarned } from '../activity-view.ts'
import {
  ActivityOrigin,
  ActivityResults,
  ChainTransaction,
  useCause,
} from '../components/activity-origin.tsx'
import { ActivityReason } from '../components/activity-reason.tsx'
import { useActivityTitle } from '../components/activity-row.tsx'
import { LedgerLines } from '../components/ledger-lines.tsx'

/** One transaction: the amount, its source, its ledger lines, its consequences, the chain, and a receipt. */
export default function ActivityDetailPage() {
  const { t } = useTranslation()
  const { activity_id } = useSearch({ from: '/pages/rewardList/activity' })
  const query = useQuery(apiQuery('activityDetail', { params: { activity_id } }))
  const titleOf = useActivityTitle()
  return (
    <Page title={query.data === undefined ? t('feed.title') : titleOf(query.data)} wide>
      {query.isPending && <ListSkeleton />}
      {query.isError && query.data === undefined && <ErrorState onRetry={() => void query.refetch()} />}
      {query.data !== undefined && <Detail detail={query.data} />}
    </Page>
  )
}

function Detail({ detail }: { detail: ActivityDetail }) {
  const { t } = useTranslation()
  const titleOf = useActivityTitle()
  const cause = useCause(detail)
  const lines: ReceiptLine[] = [
    [t('entry.number'), `L-${detail.activity_id}`],
    [t('entry.time'), formatTimeExact(detail.at) ?? ''],
    ...detail.amounts.map(({ asset, amount }): ReceiptLine => [asset, `${formatExact(amount)} ${asset}`]),
    [t('entry.cause'), `${detail.cause.type} ${detail.cause.id}`],
  ]
  return (
    <Columns
      side={
        <>
          <ActivityResults detail={detail} cause={cause} />
          <ChainTransaction detail={detail} cause={cause} />
          <ReceiptButtons title={titleOf(detail)} lines={lines} />
        </>
      }
    >
      <Headline detail={detail} />
      <ActivityReason detail={detail} />
      <ActivityOrigin detail={detail} cause={cause} />
      <LedgerLines detail={detail} />
    </Columns>
  )
}

function Headline({ detail }: { detail: ActivityDetail }) {
  const { t } = useTranslation()
  const { icon, mark } = activityLook(detail)
  const [first, ...rest] = detail.amounts
  const unsigned = (amount: string) => amount.replace('-', '')
  const isUndone = detail.kind.endsWith(':reversal')
  return (
    <>
      <div className="flex flex-col items-center gap-1 pb-2 text-center">
        {mark === null ? (
          <span className="mb-2 grid size-12 place-items-center rounded-full bg-card">
            <Icon name={icon} />
          </span>
        ) : (
          <span className="mb-2">
            <TokenMark token={mark} size={48} />
          </span>
        )}
        {first !== undefined && (
          <Money
            amount={unsigned(first.amount)}
            unit={first.asset}
            signed={isEarned(detail)}
            fit
            className="font-semibold"
          />
        )}
        <span className="text-14 text-muted">
          <Time value={detail.at} />
        </span>
        <Pill tone={isUndone ? 'warn' : 'good'}>{t(isUndone ? 'entry.takenBack' : 'entry.done')}</Pill>
      </div>
      {rest.length > 0 && (
        <Card className="flex flex-col divide-y divide-line py-1">
          {detail.amounts.map(({ asset, amount }) => (
            <p key={asset} className="flex items-center justify-between gap-3 py-3 text-14">
              <span className="text-muted">
                {t(amount.startsWith('-') ? 'entry.out' : 'entry.in', { asset })}
              </span>
              <Money amount={unsigned(amount)} unit={asset} className="text-16 font-medium" />
            </p>
          ))}
        </Card>
      )}
    </>
  )
}
