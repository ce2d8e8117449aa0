import type { AuditedDeparture } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import {
  apiQuery,
  apiWatchedList,
  formatAmount,
  formatCount,
  TWO_DECIMALS,
  useIsWide,
  useTranslation,
} from '../../../lib/index.ts'
import { EmptyState, ErrorState, IconButton, ListSkeleton, Sheet } from '../../../ui/index.ts'
import { presetRange } from '../analytics/range.ts'
import { useToday } from '../components/admin-nav.tsx'
import { AdminPage, ShowMore, useMay } from '../components/admin-page.tsx'
import { KeysHint } from '../components/keys-hint.tsx'
import { useQueueKeys } from '../components/queue-keys.tsx'
import { useAge } from '../components/utc-time.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'
import { BulkPrepare } from '../withdrawals/bulk-prepare.tsx'
import { FilterBar } from '../withdrawals/filter-bar.tsx'
import { HeldDetails } from '../withdrawals/held-details.tsx'
import { ALL_HELD, filterHeld } from '../withdrawals/held-filters.ts'
import { HeldList, HeldTable, keyOf, rowId } from '../withdrawals/held-table.tsx'
import { wantedOf } from '../withdrawals/prepare-steps.ts'

/** The most that one page of the queue holds. */
const PAGE_ROWS = 100

/** Withdrawals and transfers that wait for a decision, with what makes them risky; several can be decided on together. */
export default function AuditPage() {
  const { t } = useTranslation()
  const mayPrepare = useMay()('operator')
  const isWide = useIsWide()
  const query = useInfiniteQuery(apiWatchedList('auditQueue', { query: { limit: PAGE_ROWS } }))
  const { want, show, sheets } = useProposals({
    title: t('admin.audit.prepare'),
    reasonHint: t('admin.audit.reasonHint'),
  })
  const [filters, setFilters] = useState(ALL_HELD)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string | null>(null)
  const all = useMemo(() => query.data?.pages.flatMap(({ items }) => items) ?? [], [query.data])
  const items = useMemo(() => filterHeld(all, filters), [all, filters])
  const place = items.findIndex((one) => keyOf(one) === opened)
  const active = items[place]
  // Only what is in sight is decided on.
  const selection = items.filter((one) => chosen.has(keyOf(one)) && one.proposal_id === null)
  const toggle = (one: AuditedDeparture) =>
    setChosen((keys) => {
      const next = new Set(keys)
      if (!next.delete(keyOf(one))) next.add(keyOf(one))
      return next
    })
  const toggleAll = () => {
    const free = items.filter((one) => one.proposal_id === null)
    setChosen(selection.length === free.length ? new Set() : new Set(free.map(keyOf)))
  }
  const { help, openHelp } = useQueueKeys({
    move: (by) => {
      const next = items[Math.min(items.length - 1, Math.max(0, place + by))]
      if (next === undefined) return
      setOpened(keyOf(next))
      document.getElementById(rowId(next))?.focus()
    },
    open: () => active !== undefined && setOpened(keyOf(active)),
    select: () => active?.proposal_id === null && mayPrepare && toggle(active),
    close: () => setOpened(null),
  })
  if (query.data === undefined) {
    return (
      <AdminPage title={t('admin.area.audit')}>
        {query.isError ? <ErrorState onRetry={() => void query.refetch()} /> : <ListSkeleton />}
      </AdminPage>
    )
  }
  const details = active && (
    <HeldDetails
      one={active}
      mayPrepare={mayPrepare}
      onReview={(approve) => {
        if (!isWide) setOpened(null)
        want(wantedOf([active], approve))
      }}
      onProposal={(id) => {
        if (!isWide) setOpened(null)
        show(id)
      }}
    />
  )
  const shared = { items, chosen, mayPrepare, onToggle: toggle, onToggleAll: toggleAll, active: opened }
  const onOpen = (one: AuditedDeparture) => setOpened(keyOf(one))
  return (
    <AdminPage title={t('admin.area.audit')}>
      <Totals all={all} />
      <FilterBar all={all} filters={filters} onChange={setFilters} />
      {items.length === 0 ? (
        <EmptyState
          icon="check"
          title={t(all.length === 0 ? 'admin.audit.none' : 'desk.held.nothing')}
          hint={t(all.length === 0 ? 'admin.noneHint' : 'desk.held.nothingHint')}
        />
      ) : isWide ? (
        <div className={active && 'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]'}>
          <HeldTable {...shared} isNarrow={active !== undefined} onOpen={onOpen} />
          {details && (
            <section
              aria-label={t('admin.brief.departure', { is: active.is, id: active.id })}
              className="sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-12 bg-card px-5 pb-5"
            >
              <div className="-mr-3 flex justify-end">
                <IconButton icon="close" label={t('common.close')} onClick={() => setOpened(null)} />
              </div>
              {details}
            </section>
          )}
        </div>
      ) : (
        <>
          <HeldList {...shared} onOpen={onOpen} />
          {active && (
            <Sheet open onClose={() => setOpened(null)} title={t('desk.held.details')}>
              {details}
            </Sheet>
          )}
        </>
      )}
      <ShowMore query={query} />
      <KeysHint onOpen={openHelp} />
      {selection.length > 0 && <BulkPrepare selection={selection} onDone={() => setChosen(new Set())} />}
      {sheets}
      {help}
    </AdminPage>
  )
}

const money = (amount: string) => formatAmount(amount, TWO_DECIMALS)

/** The queue in figures: what waits, what is being withdrawn in all, and what was paid today. */
function Totals({ all }: { all: readonly AuditedDeparture[] }) {
  const { t } = useTranslation()
  const age = useAge()
  const today = useToday().data
  const day = presetRange('today', new Date())
  const paid = useQuery(apiQuery('analyticsWithdrawals', { query: day })).data
  const usdt = paid?.assets.find(({ asset }) => asset === 'USDT')
  const proposed = all.filter(({ proposal_id: id }) => id !== null).length
  const tiles = [
    {
      label: t('admin.status.Auditing'),
      value: today === undefined ? '–' : formatCount(today.withdrawals.count),
      detail:
        today === undefined ? '' : t('desk.held.worth', { amount: money(today.withdrawals.worth_usdt) }),
    },
    {
      label: t('desk.held.withApprovers'),
      value: formatCount(proposed),
      detail: t('desk.held.ofThese'),
    },
    {
      label: t('desk.held.underWay'),
      value: usdt === undefined ? '–' : money(usdt.under_way),
      detail: 'USDT',
    },
    {
      label: t('desk.held.paidToday'),
      value: usdt === undefined ? '–' : money(usdt.paid),
      detail: usdt === undefined ? '' : t('desk.held.payouts', { count: usdt.paid_count }),
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
