import type { ProposalKind, ProposalListItem } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, useTranslation } from '../../../lib/index.ts'
import { EmptyState, InfiniteList, Pill, Time } from '../../../ui/index.ts'
import { STATE_TONES } from './words.ts'

export type Show = 'mine' | 'open' | 'ended'

export interface ProposalListProps {
  show: Show | 'all'
  /** Of one kind only. */
  kind?: ProposalKind
  onOpen: (proposalId: string) => void
}

/** Proposals, newest first; one opens with a click. */
export function ProposalList({ show, kind, onOpen }: ProposalListProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('proposals', { query: { show, ...(kind && { kind }) } }))
  return (
    <InfiniteList
      query={query}
      label={t('admin.area.approvals')}
      keyOf={(one) => one.proposal_id}
      empty={<EmptyState icon="check" title={t(`admin.none.${show}`)} hint={t('admin.noneHint')} />}
      render={(one) => <ProposalRow proposal={one} onOpen={() => onOpen(one.proposal_id)} />}
    />
  )
}

function ProposalRow({ proposal, onOpen }: { proposal: ProposalListItem; onOpen: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="relative flex flex-col gap-1 rounded-12 bg-card p-4 hover:bg-sunken">
      <span className="flex flex-wrap items-center gap-2">
        <Pill tone={STATE_TONES[proposal.state]}>{t(`admin.state.${proposal.state}`)}</Pill>
        <span className="text-14 text-muted">{t(`admin.kind.${proposal.kind}`)}</span>
        <span className="relative z-10 ml-auto text-12 text-muted">
          <Time value={proposal.prepared_at} />
        </span>
      </span>
      {/* Reaches over all of the row; the time, which opens by itself, stands above it. */}
      <button
        type="button"
        onClick={onOpen}
        className="flex flex-col gap-1 text-left after:absolute after:inset-0"
      >
        <span className="wrap-anywhere text-16">{proposal.summary}</span>
        <span className="wrap-anywhere text-14 text-muted">
          {proposal.prepared_person}: {proposal.reason}
        </span>
      </button>
    </div>
  )
}
