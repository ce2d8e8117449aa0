import { useQuery } from '@tanstack/react-query'
import { apiQuery, useTranslation } from '../../../lib/index.ts'
import { ErrorState, ListSkeleton, Sheet } from '../../../ui/index.ts'
import { Decision } from './decision.tsx'
import { ProposalView } from './proposal-view.tsx'

/** One proposal of any kind over the page: its changes, who prepared it and why, and the decision. */
export function ProposalSheet({ proposalId, onClose }: { proposalId: string; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Sheet open onClose={onClose} title={t('admin.proposal', { id: proposalId })}>
      <ProposalBody proposalId={proposalId} onDone={onClose} />
    </Sheet>
  )
}

/** A proposal with its decision docked below it. */
export function ProposalBody({ proposalId, onDone }: { proposalId: string; onDone: () => void }) {
  const params = { proposal_id: proposalId }
  const { data, isError, refetch } = useQuery(apiQuery('proposal', { params }))
  if (data === undefined)
    return isError ? <ErrorState onRetry={() => void refetch()} /> : <ListSkeleton rows={3} />
  return (
    <>
      <ProposalView proposal={data} />
      <Decision key={proposalId} proposal={data} onDone={onDone} />
    </>
  )
}
