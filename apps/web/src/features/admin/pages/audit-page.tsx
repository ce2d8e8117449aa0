import type { AuditedDeparture, RouteData } from '@rif/api-schema'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  apiQuery,
  apiWatchedList,
  formatAmount,
  formatCount,
  useIsWide,
  useIsWidest,
  useSettled,
  useTranslation,
} from '../../../lib/index.ts'
import {
  Chip,
  CsvButton,
  EmptyState,
  ErrorState,
  Icon,
  IconButton,
  ListSkeleton,
  Sheet,
} from '../../../ui/index.ts'
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
import { ALL_HELD, countFilters, queryOf } from '../withdrawals/held-filters.ts'
import { HeldList, HeldTable, keyOf, rowId } from '../withdrawals/held-table.tsx'
import { clearOnes, isFree, wantedOf } from '../withdrawals/prepare-steps.ts'

/** The most that one page of the list holds. */
const PAGE_ROWS = 100

/** Withdrawals and transfers in all states, with what makes them risky; several that wait can be decided on together. */
export default function AuditPage() {
  const { t } = useTranslation()
  const mayPrepare = useMay()('operator')
  const [isWide, isWidest] = [useIsWide(), useIsWidest()]
  const [filters, setFilters] = useState(ALL_HELD)
  const text = useSettled(filters.text)
  const query = useInfiniteQuery({
    ...apiWatchedList('auditQueue', { query: { ...queryOf({ ...filters, text }), limit: PAGE_ROWS } }),
    placeholderData: (previous) => previous,
  })
  const { want, show, sheets } = useProposals({
    title: t('admin.audit.prepare'),
    reasonHint: t('admin.audit.reasonHint'),
  })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [opened, setOpened] = useState<string | null>(null)
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const place = items.findIndex((one) => keyOf(one) === opened)
  const active = items[place]
  // Only what is in sight is decided on.
  const selection = items.filter((one) => chosen.has(keyOf(one)) && isFree(one))
  const choose = (ones: readonly AuditedDeparture[]) => setChosen(new Set(ones.map(keyOf)))
  const toggle = (one: AuditedDeparture) =>
    setChosen((keys) => {
      const next = new Set(keys)
      if (!next.delete(keyOf(one))) next.add(keyOf(one))
      return next
    })
  const toggleAll = () => {
    const free = items.filter(isFree)
    choose(selection.length === free.length ? [] : free)
  }
  const { help, openHelp } = useQueueKeys({
    move: (by) => {
      const next = items[Math.min(items.length - 1, Math.max(0, place + by))]
      if (next === undefined) return
      setOpened(keyOf(next))
      document.getElementById(rowId(next))?.focus()
    },
    open: () => active !== undefined && setOpened(keyOf(active)),
    select: () => active !== undefined && isFree(active) && mayPrepare && toggle(active),
    close: () => setOpened(null),
  })
  const details = active && (
    <HeldDetails
      one={active}
      mayPrepare={mayPrepare}
      onReview={(approve) => {
        if (!isWidest) setOpened(null)
        want(wantedOf([active], approve))
      }}
      onProposal={(id) => {
        if (!isWidest) setOpened(null)
        show(id)
      }}
    />
  )
  const shared = { items, chosen, mayPrepare, onToggle: toggle, onToggleAll: toggleAll, active: opened }
  const onOpen = (one: AuditedDeparture) => setOpened(keyOf(one))
  const [first] = query.data?.pages ?? []
  const isNarrowed = countFilters(filters) > 0 || filters.text !== ''
  return (
    <AdminPage
      title={t('admin.area.audit')}
      about={t('admin.about.audit')}
      actions={<CsvButton name="auditQueue" query={queryOf({ ...filters, text })} />}
    >
      <Totals ready={first?.ready} />
      <FilterBar counts={countsOf(first)} filters={filters} onChange={setFilters}>
        {mayPrepare && <ClearOnes items={items} onChoose={choose} />}
      </FilterBar>
      {query.data === undefined ? (
        query.isError ? (
          <ErrorState onRetry={() => void query.refetch()} />
        ) : (
          <ListSkeleton />
        )
      ) : items.length === 0 ? (
        <EmptyState
          icon="check"
          title={t(isNarrowed ? 'desk.held.nothing' : 'admin.audit.none')}
          hint={t(isNarrowed ? 'desk.held.nothingHint' : 'admin.noneHint')}
        />
      ) : isWide ? (
        <div
          className={
            active && isWidest ? 'grid items-start gap-4 grid-cols-[minmax(0,1fr)_22rem]' : undefined
          }
        >
          <HeldTable {...shared} isNarrow={active !== undefined || !isWidest} onOpen={onOpen} />
          {active && isWidest && (
            <Pane
              label={t('admin.brief.departure', { is: active.is, id: active.id })}
              onClose={() => setOpened(null)}
            >
              {details}
            </Pane>
          )}
        </div>
      ) : (
        <HeldList {...shared} onOpen={onOpen} />
      )}
      {active && !isWidest && (
        <Sheet open onClose={() => setOpened(null)} title={t('desk.held.details')}>
          {details}
        </Sheet>
      )}
      <ShowMore query={query} />
      <KeysHint onOpen={openHelp} />
      {selection.length > 0 && <BulkPrepare selection={selection} onDone={() => setChosen(new Set())} />}
      {sheets}
      {help}
    </AdminPage>
  )
}

const countsOf = (data: RouteData<'auditQueue'> | undefined) =>
  data === undefined
    ? {}
    : { open: data.waiting + data.ready.count, held: data.waiting, ready: data.ready.count }

/** The details of a row beside the table. */
function Pane({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <section
      aria-label={label}
      className="sticky top-16 max-h-[calc(100dvh-5rem)] overflow-y-auto rounded-12 bg-card px-5 pb-5"
    >
      <div className="-mr-3 flex justify-end">
        <IconButton icon="close" label={t('common.close')} onClick={onClose} />
      </div>
      {children}
    </section>
  )
}

interface ClearOnesProps {
  items: readonly AuditedDeparture[]
  onChoose: (ones: readonly AuditedDeparture[]) => void
}

/** Selects at once what can be decided on together and has no risk but a new address. */
function ClearOnes({ items, onChoose }: ClearOnesProps) {
  const { t } = useTranslation()
  const clear = clearOnes(items)
  if (clear.length === 0) return null
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-14 text-muted">
      <Chip onClick={() => onChoose(clear)}>
        <Icon name="check" size={16} />
        {t('desk.bulk.selectClear', { count: clear.length })}
      </Chip>
      {t('desk.bulk.clearAbout')}
    </p>
  )
}

/** The list in figures: what waits, what can be claimed, what is being withdrawn in all, and what was paid today. */
function Totals({ ready }: { ready: RouteData<'auditQueue'>['ready'] | undefined }) {
  const { t } = useTranslation()
  const age = useAge()
  const today = useToday().data
  const day = presetRange('today', new Date())
  const paid = useQuery(apiQuery('analyticsWithdrawals', { query: day })).data
  const usdt = paid?.assets.find(({ asset }) => asset === 'USDT')
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
