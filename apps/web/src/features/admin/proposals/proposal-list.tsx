import type { ProposalKind, ProposalListItem, RouteInput } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, type Translate, useTranslation } from '../../../lib/index.ts'
import { EmptyState, Pill } from '../../../ui/index.ts'
import { utcText } from '../components/utc-time.tsx'
import { FilterBar } from '../list/filter-bar.tsx'
import { type FilterField, useListFilters } from '../list/list-filters.ts'
import { type ListShape, useRows } from '../list/list-rows.ts'
import { WorkList } from '../list/work-list.tsx'
import { STATE_TONES } from './proposal-parts.tsx'
import { ProposalBody } from './proposal-sheet.tsx'
import { sentenceOf } from './proposal-words.ts'

const SHOWS = ['all', 'open', 'ended'] as const
type Show = (typeof SHOWS)[number]

interface ProposalListProps {
  kind: ProposalKind
  label: string
  /** Selects what is shown at first; all by default. */
  first?: Show
  /** Called after a decision. */
  onDone?: () => void
}

const fieldsOf = (t: Translate, first: Show): readonly FilterField<RouteInput<'proposals'>['query']>[] => [
  {
    name: 'show',
    label: t('desk.held.state'),
    as: 'tabs',
    initial: first,
    options: SHOWS.map((value) => [value, t(value === 'all' ? 'desk.filter.all' : `admin.show.${value}`)]),
  },
]

/** The proposals of one kind, newest first, each with its decision in the details. */
export function ProposalList({ kind, label, first = 'all', onDone }: ProposalListProps) {
  const { t } = useTranslation()
  const filters = useListFilters(`proposals ${kind}`, fieldsOf(t, first))
  const query = useInfiniteQuery({
    ...apiWatchedList('proposals', { query: { ...filters.query, kind } }),
    placeholderData: (previous) => previous,
  })
  const show = filters.values.show as Show
  return (
    <>
      <FilterBar filters={filters} />
      <WorkList
        label={label}
        rows={useRows(query)}
        shape={proposalShape(t)}
        empty={<EmptyState icon="check" title={t(`admin.none.${show}`)} hint={t('admin.noneHint')} />}
        details={({ proposal_id: id }, leave) => (
          <ProposalBody
            key={id}
            proposalId={id}
            onDone={() => {
              leave()
              onDone?.()
            }}
          />
        )}
      />
    </>
  )
}

/**
 * Returns the list form of proposals: the sentence, the reason, who prepared it and when, and its progress.
 */
export function proposalShape(t: Translate): ListShape<ProposalListItem> {
  const muted = (text: string | null) => <span className="text-12 text-muted">{text}</span>
  const state = (proposal: ProposalListItem) => (
    <Pill tone={STATE_TONES[proposal.state]}>{t(`admin.state.${proposal.state}`)}</Pill>
  )
  return {
    keyOf: ({ proposal_id: id }) => id,
    nameOf: ({ proposal_id: id }) => t('admin.proposal', { id }),
    columns: [
      { key: 'number', head: t('desk.held.number'), cell: ({ proposal_id: id }) => `P-${id}` },
      {
        key: 'what',
        head: t('desk.approvals.what'),
        cell: (proposal) => (
          <span className="wrap-anywhere font-medium">{sentenceOf(t, proposal.headline)}</span>
        ),
      },
      {
        key: 'reason',
        head: t('admin.reason'),
        isRoomy: true,
        cell: ({ reason }) => <span className="wrap-anywhere line-clamp-2 text-12 text-muted">{reason}</span>,
      },
      { key: 'who', head: t('desk.log.who'), cell: ({ prepared_person: who }) => who },
      { key: 'state', head: t('desk.held.state'), cell: state },
      {
        key: 'at',
        head: t('desk.log.at'),
        isFigure: true,
        isRoomy: true,
        cell: ({ prepared_at: at }) => muted(utcText(at)),
      },
    ],
    line: (proposal) => ({
      title: sentenceOf(t, proposal.headline),
      aside: utcText(proposal.prepared_at),
      text: `${proposal.prepared_person} · ${proposal.reason}`,
      tags: state(proposal),
    }),
  }
}
