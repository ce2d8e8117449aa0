import type { AuditedDeparture } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  apiWatchedList,
  formatAmount,
  formatCount,
  shortestAddress,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import { DataTable } from '../../../ui/index.ts'
import { presetRange } from '../analytics/range.ts'
import { ShowMore } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'
import { arrives, StatePill, shortName } from './held-shape.tsx'

const ENDS = ['Success', 'Rejected', 'Cancelled'] as const

/** The withdrawals and transfers that were paid, rejected or cancelled on this UTC day, the last one first. */
export function EndedToday() {
  const { t } = useTranslation()
  const isWide = useIsWide()
  const query = useInfiniteQuery(
    apiWatchedList('auditQueue', {
      query: { state: 'ended', order: 'ended', ended_from: presetRange('today', new Date()).from },
    }),
  )
  const items = query.data?.pages.flatMap((page) => page.items)
  if (items === undefined || items.length === 0) return null
  const counts = ENDS.flatMap((status) => {
    const count = items.filter((item) => item.status === status).length
    return count === 0
      ? []
      : [`${formatCount(count)}${query.hasNextPage ? '+' : ''} ${t(`admin.status.${status}`)}`]
  })
  const head = (['number', 'member', 'amount', 'fee', 'arrives', 'state', 'ended'] as const).map((name) =>
    t(`desk.held.column.${name}`),
  )
  return (
    <Panel title={t('desk.held.endedToday')} aside={counts.join(', ')}>
      {isWide ? (
        <DataTable
          stacks
          caption={t('desk.held.endedToday')}
          head={head}
          words={[1, 5]}
          rows={items.map((item) => ({ key: shortName(item), cells: cellsOf(item) }))}
        />
      ) : (
        <ul aria-label={t('desk.held.endedToday')} className="divide-y divide-line">
          {items.map((item) => (
            <Ended key={shortName(item)} departure={item} />
          ))}
        </ul>
      )}
      <ShowMore query={query} />
    </Panel>
  )
}

/** One of them on a phone. */
function Ended({ departure }: { departure: AuditedDeparture }) {
  return (
    <li className="flex flex-col gap-1 py-2 text-14">
      <p className="flex items-baseline justify-between gap-3">
        <span className="font-semibold tabular-nums">
          {formatAmount(departure.amount)}{' '}
          <span className="text-12 font-normal text-muted">{departure.asset}</span>
        </span>
        <span className="text-12 text-muted">
          <UtcTime value={departure.ended_at!} />
        </span>
      </p>
      <p className="flex flex-wrap items-center gap-x-3 text-12 text-muted">
        {shortName(departure)} · {shortestAddress(departure.member_address)}{' '}
        <StatePill departure={departure} />
      </p>
      {departure.review_reason !== null && (
        <p className="wrap-anywhere text-12 text-muted">“{departure.review_reason}”</p>
      )}
    </li>
  )
}

const cellsOf = (departure: AuditedDeparture) => [
  shortName(departure),
  shortestAddress(departure.member_address),
  `${formatAmount(departure.amount)} ${departure.asset}`,
  formatAmount(departure.fee),
  departure.status === 'Success' ? formatAmount(arrives(departure)) : '–',
  <span key="state" className="flex flex-col items-start gap-1">
    <StatePill departure={departure} />
    {departure.review_reason !== null && (
      <span className="wrap-anywhere line-clamp-2 max-w-56 whitespace-normal text-12 text-muted">
        {departure.review_reason}
      </span>
    )}
  </span>,
  <UtcTime key="ended" value={departure.ended_at!} />,
]
