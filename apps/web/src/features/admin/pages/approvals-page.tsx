import type { ProposalListItem } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { apiWatchedList, cx, redirectTo, useTranslation } from '../../../lib/index.ts'
import { Button, EmptyState, ErrorState, IconButton, ListSkeleton, Segmented } from '../../../ui/index.ts'
import { AdminPage, ShowMore, useMay } from '../components/admin-page.tsx'
import { KeysHint } from '../components/keys-hint.tsx'
import { useQueueKeys } from '../components/queue-keys.tsx'
import { NewProposalSheet } from '../exchange/new-proposal-sheet.tsx'
import { BulkDecision } from '../proposals/bulk-decision.tsx'
import { ProposalRow } from '../proposals/proposal-row.tsx'
import { ProposalBody } from '../proposals/proposal-sheet.tsx'
import { useProposals } from '../proposals/use-proposals.tsx'

const SHOWS = ['mine', 'open', 'ended'] as const
const PATH = '/pages/admin/approvals'

/** The proposals: those that wait for this admin, for others, and the decided ones, each read beside the list. */
export default function ApprovalsPage() {
  const { t } = useTranslation()
  const search = useSearch({ from: PATH })
  const show = search.show ?? 'mine'
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const { want, sheets } = useProposals()
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
      <div className="max-w-md">
        <Segmented
          label={t('admin.area.approvals')}
          options={SHOWS.map((value) => ({ value, label: t(`admin.show.${value}`) }))}
          value={show}
          onChange={(value) => redirectTo(PATH, { show: value })}
        />
      </div>
      <Queue key={show} show={show} opened={search.proposal_id} />
      {isAsking && (
        <NewProposalSheet
          onSubmit={(wanted, onDone) => {
            setAsking(false)
            want(wanted, () => {
              onDone()
              // Nobody decides on the own proposal: it stands among the open ones.
              redirectTo(PATH, { show: 'open' })
            })
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {sheets}
    </AdminPage>
  )
}

/** The list, and the proposal beside it; in a narrow window the opened proposal takes the place of the list. */
function Queue({ show, opened }: { show: (typeof SHOWS)[number]; opened: string | undefined }) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('proposals', { query: { show } }))
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const shown = opened ?? items[0]?.proposal_id
  const place = items.findIndex((one) => one.proposal_id === shown)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const open = (proposal_id?: string) =>
    redirectTo(PATH, { show, ...(proposal_id !== undefined && { proposal_id }) })
  const move = (by: 1 | -1) => {
    const next = items[Math.min(items.length - 1, Math.max(0, place + by))]
    if (next === undefined) return
    open(next.proposal_id)
    document.getElementById(rowId(next))?.focus()
  }
  const toggle = (id: string) =>
    setChosen((ids) => (ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]))
  const canChoose = (one: ProposalListItem | undefined) => one?.state === 'Open' && one.may_decide
  const { help, openHelp } = useQueueKeys({
    move,
    open: () => shown !== undefined && open(shown),
    select: () => canChoose(items[place]) && toggle(items[place]!.proposal_id),
    close: () => open(),
  })
  if (query.isPending) return <ListSkeleton />
  if (query.data === undefined) return <ErrorState onRetry={() => void query.refetch()} />
  const selection = items.filter((one) => chosen.includes(one.proposal_id) && canChoose(one))
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[20rem_minmax(0,1fr)] xl:grid-cols-[22rem_minmax(0,1fr)]">
      <div className={cx('flex flex-col gap-3', opened !== undefined && 'max-lg:hidden')}>
        {items.length === 0 ? (
          <EmptyState icon="check" title={t(`admin.none.${show}`)} hint={t('admin.noneHint')} />
        ) : (
          <ul
            aria-label={t('admin.area.approvals')}
            className="divide-y divide-line overflow-hidden rounded-12 bg-card"
          >
            {items.map((one) => (
              <li key={one.proposal_id}>
                <ProposalRow
                  id={rowId(one)}
                  proposal={one}
                  isOpen={one.proposal_id === shown}
                  isChosen={chosen.includes(one.proposal_id)}
                  {...(canChoose(one) && { onToggle: () => toggle(one.proposal_id) })}
                  onOpen={() => open(one.proposal_id)}
                />
              </li>
            ))}
          </ul>
        )}
        <ShowMore query={query} />
        {show === 'mine' && <p className="px-1 text-12 text-muted">{t('desk.approvals.about')}</p>}
        <KeysHint onOpen={openHelp} />
        {selection.length > 0 && <BulkDecision selection={selection} onDone={() => setChosen([])} />}
      </div>
      {shown !== undefined && (
        <section
          aria-label={t('admin.proposal', { id: shown })}
          className={cx(
            'min-w-0 rounded-12 bg-card px-5 pt-5 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto',
            opened === undefined && 'max-lg:hidden',
          )}
        >
          <div className="-mx-3 -mt-3 mb-2 flex items-center justify-between lg:hidden">
            <IconButton icon="back" label={t('common.back')} onClick={() => open()} />
            <span className="text-16 font-semibold">
              {place >= 0 && t('admin.brief.of', { place: place + 1, count: items.length })}
            </span>
            <IconButton
              icon="forward"
              label={t('desk.keys.next')}
              disabled={place < 0 || place === items.length - 1}
              onClick={() => move(1)}
            />
          </div>
          <ProposalBody proposalId={shown} onDone={() => open()} />
        </section>
      )}
      {help}
    </div>
  )
}

const rowId = ({ proposal_id: id }: ProposalListItem) => `proposal-${id}`
