import type { ProposalKind } from '@rif/api-schema'
import { useInfiniteQuery } from '@tanstack/react-query'
import { apiWatchedList, useTranslation } from '../../../lib/index.ts'
import { EmptyState, InfiniteList } from '../../../ui/index.ts'
import { ProposalRow } from './proposal-row.tsx'

interface ProposalListProps {
  show: 'open' | 'all'
  kind: ProposalKind
  onOpen: (proposalId: string) => void
}

/** The proposals of one kind, newest first; one opens with a click. */
export function ProposalList({ show, kind, onOpen }: ProposalListProps) {
  const { t } = useTranslation()
  const query = useInfiniteQuery(apiWatchedList('proposals', { query: { show, kind } }))
  return (
    <InfiniteList
      query={query}
      label={t('admin.area.approvals')}
      keyOf={(one) => one.proposal_id}
      empty={<EmptyState icon="check" title={t(`admin.none.${show}`)} hint={t('admin.noneHint')} />}
      render={(one) => (
        <div className="overflow-hidden rounded-12 bg-card">
          <ProposalRow
            id={`proposal-${one.proposal_id}`}
            proposal={one}
            isOpen={false}
            isChosen={false}
            onOpen={() => onOpen(one.proposal_id)}
          />
        </div>
      )}
    />
  )
}
