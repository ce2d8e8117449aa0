import type { ProposalListItem, RouteInput } from '@rif/api-schema'
import { PROPOSAL_KINDS } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { apiWatchedList, cx, redirectTo, type Translate, useTranslation } from '../../../lib/index.ts'
import { Button, CheckBox, EmptyState, ErrorState, IconButton, ListSkeleton } from '../../../ui/index.ts'
import { useToday } from '../components/admin-nav.tsx'
import { AdminPage, ShowMore, useMay } from '../components/admin-page.tsx'
import { NewProposalSheet } from '../exchange/new-proposal-sheet.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { rowId } from '../list/list-rows.ts'
import { useWorkList } from '../list/use-work-list.ts'
import { KeysHint } from '../list/work-list.tsx'
import { BulkDecision } from '../proposals/bulk-decision.tsx'
import { DecidedByYou } from '../proposals/decided-by-you.tsx'
import { ProposalRow } from '../proposals/proposal-row.tsx'
import { ProposalBody } from '../proposals/proposal-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

const PATH = '/pages/admin/approvals'
const SHOWS = ['mine', 'own', 'open', 'ended'] as const
type Show = (typeof SHOWS)[number]
type Query = RouteInput<'proposals'>['query']

const fieldsOf = (t: Translate): readonly FilterField<Query>[] => [
  {
    name: 'show',
    label: t('admin.area.approvals'),
    as: 'tabs',
    initial: 'mine',
    options: SHOWS.map((value) => [value, t(`admin.show.${value}`)] as const),
  },
  {
    name: 'kind',
    label: t('desk.filter.sort'),
    as: 'choice',
    options: [
      ['', t('desk.filter.all')] as const,
      ...PROPOSAL_KINDS.map((kind) => [kind, t(`admin.kind.${kind}`)] as const),
    ],
  },
]

/** The proposals waiting for this admin, for others, and the decided ones, each shown beside the list. */
export default function ApprovalsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const show = search.show ?? 'mine'
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { want, sheets } = useProposals()
  const filters = useListFilters('approvals', fieldsOf(t), { show })
  const today = useToday().data
  // The URL determines the shown proposals: a link or a new proposal changes it too.
  const query = { ...filters.query, show }
  return (
    <AdminPage
      title={t('admin.area.approvals')}
      about={t('admin.about.approvals')}
      actions={
        may('operator') && (
          <Button variant="secondary" onClick={() => setAsking(true)}>
            {t('adminForms.new')}
          </Button>
        )
      }
    >
      <FilterBar
        counts={today === undefined ? {} : { mine: today.approvals.count }}
        filters={{
          ...filters,
          values: { ...filters.values, show },
          change: (next) => {
            filters.change(next)
            if (next.show !== show) redirectTo(PATH, { show: next.show as Show })
          },
        }}
      />
      <Queue
        key={JSON.stringify(query)}
        show={show}
        query={query}
        isNarrowed={filters.isNarrowed}
        opened={search.proposal_id}
      />
      {isAsking && (
        <NewProposalSheet
          onSubmit={(wanted, onDone) => {
            setAsking(false)
            want(wanted, () => {
              onDone()
              // Nobody decides on an own proposal.
              redirectTo(PATH, { show: 'own' })
            })
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {sheets}
    </AdminPage>
  )
}

const keyOf = ({ proposal_id: id }: ProposalListItem) => id
const canChoose = (proposal: ProposalListItem) => proposal.state === 'Open' && proposal.may_decide

interface QueueProps {
  show: Show
  query: Partial<Query>
  isNarrowed: boolean
  /** The proposal in the URL. */
  opened: string | undefined
}

/** The list, and the proposal beside it; in a narrow window the opened proposal replaces the list. */
function Queue({ show, query: wanted, isNarrowed, opened }: QueueProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('proposals', { query: wanted }))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const shown = opened ?? items[0]?.proposal_id
  const open = (proposal_id: string | null) =>
    redirectTo(PATH, { show, ...(proposal_id !== null && { proposal_id }) })
  const work = useWorkList({
    items,
    keyOf,
    canChoose,
    opened: shown ?? null,
    onOpen: open,
    onEnd: query.hasNextPage ? () => void query.fetchNextPage() : undefined,
  })
  if (query.isPending) return <ListSkeleton />
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  const free = items.filter(canChoose)
  return (
    <div
      className={cx(
        'grid grid-cols-1 items-start gap-4',
        shown !== undefined && 'lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[22rem_minmax(0,1fr)]',
      )}
    >
      <div className={cx('flex flex-col gap-3', opened !== undefined && 'max-lg:hidden')}>
        {items.length === 0 ? (
          <Nothing show={show} isNarrowed={isNarrowed} />
        ) : (
          <div className="overflow-hidden rounded-12 bg-card">
            {free.length > 1 && (
              <div className="flex items-center gap-3 border-b border-line px-4 text-14">
                <span className="-ml-1.5">
                  <CheckBox label={t('desk.bulk.all')} checked={work.isAllChosen} onChange={work.toggleAll} />
                </span>
                <span aria-hidden="true" className="font-medium">
                  {t('desk.bulk.all')}
                </span>
                <span className="ml-auto text-12 text-muted tabular-nums">{free.length}</span>
              </div>
            )}
            <ul aria-label={t('admin.area.approvals')} className="divide-y divide-line">
              {items.map((item) => (
                <li key={keyOf(item)}>
                  <ProposalRow
                    id={rowId(keyOf(item))}
                    proposal={item}
                    isOpen={item.proposal_id === shown}
                    isChosen={work.isChosen(item)}
                    {...(canChoose(item) && { onToggle: () => work.toggle(item) })}
                    onOpen={() => open(item.proposal_id)}
                  />
                </li>
              ))}
            </ul>
          </div>
        )}
        <ShowMore query={query} />
        {show === 'mine' && items.length > 0 && (
          <p className="px-1 text-12 text-muted">{t('desk.approvals.about')}</p>
        )}
        {show === 'mine' && <DecidedByYou shown={shown} onOpen={open} />}
        <KeysHint onOpen={work.openHelp} />
        <BulkDecision selection={work.selection} onDone={() => work.choose([])} />
      </div>
      {shown !== undefined && (
        <section
          aria-label={t('admin.proposal', { id: shown })}
          className={cx(
            'min-w-0 rounded-12 bg-card p-5 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto',
            opened === undefined && 'max-lg:hidden',
            // On a phone the navigation bar covers the bottom of the window.
            'max-lg:[--dock:calc(65px+env(safe-area-inset-bottom))]',
          )}
        >
          <div className="-mx-3 -mt-3 mb-2 flex items-center justify-between lg:hidden">
            <IconButton icon="back" label={t('common.back')} onClick={() => open(null)} />
            <span className="text-16 font-semibold">
              {work.place >= 0 && t('admin.brief.of', { place: work.place + 1, count: items.length })}
            </span>
            <IconButton
              icon="forward"
              label={t('desk.keys.next')}
              disabled={work.place < 0 || work.place === items.length - 1}
              onClick={() => work.move(1)}
            />
          </div>
          <ProposalBody proposalId={shown} onDone={() => open(null)} />
        </section>
      )}
      {work.help}
    </div>
  )
}

/** Shows that nothing is here, and links to the operator's own proposals. */
function Nothing({ show, isNarrowed }: { show: Show; isNarrowed: boolean }) {
  const { t } = useTranslation()
  const may = useMay()
  const own = useInfiniteQuery({
    ...apiWatchedList('proposals', { query: { show: 'own' } }),
    enabled: show === 'mine' && may('operator'),
  })
  const count = own.data?.pages[0]?.items.length ?? 0
  if (isNarrowed)
    return <EmptyState icon="search" title={t('desk.held.nothing')} hint={t('desk.held.nothingHint')} />
  return (
    <EmptyState
      icon="check"
      title={t(`admin.none.${show}`)}
      hint={t(show === 'mine' ? 'desk.approvals.about' : 'admin.noneHint')}
      action={
        count > 0 && (
          <Button variant="secondary" onClick={() => redirectTo(PATH, { show: 'own' })}>
            {t('desk.approvals.own', { count: own.hasNextPage ? `${count}+` : `${count}` })}
          </Button>
        )
      }
    />
  )
}
