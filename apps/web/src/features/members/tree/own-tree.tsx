import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { apiQuery } from '../../../lib/index.ts'
import { ErrorState, Skeleton } from '../../../ui/index.ts'
import { FIRST_DEPTH } from './tree-model.ts'
import { TreePanel } from './tree-panel.tsx'

export interface OwnTreeProps {
  /** The initial member, also shown when it changes; the own node without one. */
  shownId?: string | undefined
  /** Shown below the selected member. */
  aside?: ReactNode
}

/** The tree of the own team from its first read on. */
export default function OwnTree({ shownId, aside }: OwnTreeProps) {
  const { data, isError, refetch } = useQuery({
    ...apiQuery('tree', { query: { depth: FIRST_DEPTH } }),
    // The tree is extended by branches; reading its start again would only close them.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data !== undefined) return <TreePanel own={data} shownId={shownId} aside={aside} />
  if (isError) return <ErrorState onRetry={() => void refetch()} />
  return <Skeleton className="h-[70dvh] rounded-16" />
}
