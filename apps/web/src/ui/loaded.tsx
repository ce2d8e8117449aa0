import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { formatSince, useOutage, useTranslation } from '../lib/index.ts'
import { Button } from './button.tsx'
import { ErrorState, ListSkeleton, Notice, NoticeLink } from './states.tsx'

export interface OutdatedNoticeProps {
  isBusy: boolean
  onRetry: () => void
  children: ReactNode
}

/** Warns that the content could not be refreshed and may be out of date. */
export function OutdatedNotice({ isBusy, onRetry, children }: OutdatedNoticeProps) {
  const { t } = useTranslation()
  return (
    <Notice
      tone="warn"
      action={
        <Button variant="secondary" busy={isBusy} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      }
    >
      {children}
    </Notice>
  )
}

export interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'> &
    Partial<Pick<UseQueryResult<T>, 'error' | 'dataUpdatedAt' | 'isFetching'>>
  /** The skeleton, with the size of the content, so that nothing moves when it appears. */
  skeleton?: ReactNode
  /** The label of the button; 'Retry' by default. */
  retryLabel?: string
  children: (data: T) => ReactNode
}

/**
 * A part of a page that is loaded separately: its skeleton, its content, or a retry button. The skeleton is
 * also shown while its code loads.
 */
export function Loaded<T>({ query, skeleton = <ListSkeleton />, retryLabel, children }: LoadedProps<T>) {
  if (query.data !== undefined)
    return (
      <Suspense fallback={skeleton}>
        {query.isError && <OldFigures {...query} />}
        {children(query.data)}
      </Suspense>
    )
  if (query.isError)
    return (
      <ErrorState
        error={query.error}
        onRetry={() => void query.refetch()}
        {...(retryLabel !== undefined && { retryLabel })}
      />
    )
  return skeleton
}

interface OldFiguresProps {
  /** In ms since 1970. */
  dataUpdatedAt?: number | undefined
  isFetching?: boolean | undefined
  refetch: () => unknown
}

/**
 * States the time of the figures below, which could not be refreshed. The bar of a lost connection states it
 * for all.
 */
function OldFigures({ dataUpdatedAt, isFetching = false, refetch }: OldFiguresProps) {
  const { t } = useTranslation()
  if (useOutage() !== null || dataUpdatedAt === undefined) return null
  return (
    <OutdatedNotice isBusy={isFetching} onRetry={() => void refetch()}>
      {t('common.oldFigures', { time: formatSince(dataUpdatedAt) })}
    </OutdatedNotice>
  )
}

export interface FollowedProps<T> {
  /** The result of `useQuery(apiFollow(...))`. */
  query: UseQueryResult<T>
  /** The warning above content that may be out of date. */
  staleText: string
  children: (data: T) => ReactNode
}

/**
 * One item that is refreshed while it changes, in all its states: skeleton, error with retry, content,
 * outdated content.
 */
export function Followed<T>({ query, staleText, children }: FollowedProps<T>) {
  const isLost = useOutage() !== null
  const retry = () => void query.refetch()
  if (query.isPending) return <ListSkeleton />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={retry} />
  return (
    <>
      {(query.isError || isLost) && (
        <OutdatedNotice isBusy={query.isFetching} onRetry={retry}>
          {staleText}
        </OutdatedNotice>
      )}
      {children(query.data)}
    </>
  )
}

export interface RiskNoticeProps {
  title: string
  /** The possible loss, in a sentence or two. */
  text: string
}

/** A warning of a possible loss, with a link to the page that explains all risks. */
export function RiskNotice({ title, text }: RiskNoticeProps) {
  const { t } = useTranslation()
  return (
    <Notice tone="warn" title={title} action={<NoticeLink to="/pages/my/risk">{t('info.more')}</NoticeLink>}>
      {text}
    </Notice>
  )
}
