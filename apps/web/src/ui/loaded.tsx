import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { ErrorState } from './states.tsx'

export interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'>
  /** Of the size of what will stand there, so that nothing moves when it comes. */
  skeleton: ReactNode
  /** What trying again is called; 'Retry' unless it is another. */
  retryLabel?: string
  children: (data: T) => ReactNode
}

/**
 * A part of a page that is read on its own: its skeleton, what was read, or a way to try again. The skeleton stands also
 * while the code that draws it is on its way.
 */
export function Loaded<T>({ query, skeleton, retryLabel, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <Suspense fallback={skeleton}>{children(query.data)}</Suspense>
  if (query.isError)
    return (
      <ErrorState onRetry={() => void query.refetch()} {...(retryLabel !== undefined && { retryLabel })} />
    )
  return skeleton
}
