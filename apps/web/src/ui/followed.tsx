import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, ListSkeleton, OutdatedNotice } from './states.tsx'

export interface FollowedProps<T> {
  /** What `useQuery(apiFollow(...))` gives. */
  query: UseQueryResult<T>
  /** Said above the content when it may be out of date. */
  staleText: string
  children: (data: T) => ReactNode
}

/** One thing that is followed while it changes, in all its states: skeleton, error with retry, content, content out of date. */
export function Followed<T>({ query, staleText, children }: FollowedProps<T>) {
  const retry = () => void query.refetch()
  if (query.isPending) return <ListSkeleton />
  if (query.data === undefined) return <ErrorState onRetry={retry} />
  return (
    <>
      {query.isError && (
        <OutdatedNotice isBusy={query.isFetching} onRetry={retry}>
          {staleText}
        </OutdatedNotice>
      )}
      {children(query.data)}
    </>
  )
}
