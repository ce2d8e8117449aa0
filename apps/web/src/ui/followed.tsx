import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { ErrorState, ListSkeleton, Notice } from './states.tsx'

export interface FollowedProps<T> {
  /** What `useQuery(apiFollow(...))` gives. */
  query: UseQueryResult<T>
  /** Said above the content when it may be out of date. */
  staleText: string
  children: (data: T) => ReactNode
}

/** One thing that is followed while it changes, in all its states: skeleton, error with retry, content, content out of date. */
export function Followed<T>({ query, staleText, children }: FollowedProps<T>) {
  const { t } = useTranslation()
  const retry = () => void query.refetch()
  if (query.isPending) return <ListSkeleton />
  if (query.data === undefined) return <ErrorState onRetry={retry} />
  return (
    <>
      {query.isError && (
        <Notice
          tone="warn"
          action={
            <Button variant="secondary" busy={query.isFetching} onClick={retry}>
              {t('common.retry')}
            </Button>
          }
        >
          {staleText}
        </Notice>
      )}
      {children(query.data)}
    </>
  )
}
