import type { ExitState, TreasuryExit } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, formatAmount, useTranslation } from '../../../lib/index.ts'
import { DataTable, ErrorState, ListSkeleton, Pill, type Tone } from '../../../ui/index.ts'
import { AdminName, ShowMore } from '../components/admin-page.tsx'
import { Panel } from '../components/panel.tsx'
import { UtcTime } from '../components/utc-time.tsx'

const TONES: Readonly<Record<ExitState, Tone>> = {
  Approved: 'info',
  Announced: 'warn',
  Executed: 'good',
  Cancelled: 'bad',
  Lapsed: 'neutral',
  HandedOver: 'neutral',
  Withdrawn: 'neutral',
}

/** The exits that ended, newest first. */
export function ExitHistory() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('exits', { query: { show: 'ended' } }))
  const items = query.data?.pages.flatMap((page) => page.items)
  const title = t('admin.treasury.history')
  const row = (exit: TreasuryExit) => ({
    key: exit.exit_id,
    cells: [
      `#${exit.exit_id}`,
      t(`admin.kind.${exit.kind}`),
      exit.destination_name,
      `${formatAmount(exit.amount)} ${exit.asset}`,
      <span key="ended" className="inline-flex flex-wrap items-center gap-2">
        <Pill tone={TONES[exit.state]}>{t(`admin.treasury.state.${exit.state}`)}</Pill>
        {exit.ended_at !== null && <UtcTime value={exit.ended_at} />}
        {exit.cancelled_by !== null && (
          <span className="text-muted">
            {t('admin.treasury.by')} <AdminName actor={exit.cancelled_by} />
          </span>
        )}
      </span>,
    ],
  })
  const head = (['number', 'what', 'to', 'amount', 'ended'] as const).map((name) =>
    t(`admin.treasury.${name}`),
  )
  return (
    <Panel title={title}>
      {items === undefined ? (
        query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton rows={2} />
        )
      ) : items.length === 0 ? (
        <p className="text-14 text-muted">{t('admin.treasury.noHistory')}</p>
      ) : (
        <DataTable stacks caption={title} head={head} words={[1, 2, 4]} rows={items.map(row)} />
      )}
      <ShowMore query={query} />
    </Panel>
  )
}
