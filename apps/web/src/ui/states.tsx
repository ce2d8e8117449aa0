import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import {
  ApiError,
  cx,
  formatSince,
  type HelpAbout,
  PageLink,
  type PlainPath,
  useOutage,
  useTranslation,
} from '../lib/index.ts'
import { Button, buttonClass } from './button.tsx'
import { IconCircle } from './card.tsx'
import { HelpLink } from './help-link.tsx'
import { Icon, type IconName } from './icon.tsx'

/** A grey skeleton in place of loading content, visible after 200 ms; its size is set by class. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cx('animate-pulse rounded-8 bg-sunken forced-colors:border', className)}
    />
  )
}

export interface ListSkeletonProps {
  rows?: number
  /** The lines of one card, each with a mark, two lines and a value. */
  joined?: boolean
}

/** Some lines of a list that is loading, announced as such. */
export function ListSkeleton({ rows = 5, joined = false }: ListSkeletonProps) {
  const { t } = useTranslation()
  return (
    <div
      role="status"
      aria-label={t('common.loading')}
      className={joined ? 'divide-y divide-line rounded-16 bg-card px-4 py-1' : 'flex flex-col gap-3'}
    >
      {Array.from({ length: rows }, (_, index) =>
        joined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
          <LineSkeleton key={index} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
          <Skeleton key={index} className="h-18 rounded-16" />
        ),
      )}
    </div>
  )
}

function LineSkeleton() {
  return (
    <div className="flex min-h-16 items-center gap-3">
      <Skeleton className="size-10 rounded-full" />
      <div className="flex flex-1 flex-col gap-2">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="h-3 w-3/5" />
      </div>
      <Skeleton className="h-4 w-1/5" />
    </div>
  )
}

export interface EmptyStateProps {
  icon?: IconName
  title: string
  hint?: string
  /** The next step as a button. */
  action?: ReactNode
  /** The next step as a link. */
  next?: { to: PlainPath; label: string }
  /** The article of the help that explains the state. */
  about?: HelpAbout
}

/** An empty state, and the next step. */
export function EmptyState({ icon = 'info', title, hint, action, next, about }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-8 text-center">
      <IconCircle icon={icon} tone="info" />
      <p className="pt-1 text-16 font-semibold">{title}</p>
      {hint !== undefined && <p className="max-w-md text-balance text-14 text-muted">{hint}</p>}
      {(action !== undefined || next !== undefined) && (
        <div className="pt-2">
          {action}
          {next !== undefined && (
            <PageLink to={next.to} className={buttonClass('secondary')}>
              {next.label}
            </PageLink>
          )}
        </div>
      )}
      {about !== undefined && <HelpLink about={about} />}
    </div>
  )
}

export interface ErrorStateProps {
  onRetry: () => void
  /** The failure. Data that the server does not have will not exist at the next attempt either. */
  error?: unknown
  text?: string
  retryLabel?: string
}

const NOT_FOUND = 404

/**
 * Shows that content could not be loaded, that nothing was changed, and a retry button; or that the content
 * does not exist.
 */
export function ErrorState({ onRetry, error, text, retryLabel }: ErrorStateProps) {
  const { t } = useTranslation()
  if (error instanceof ApiError && error.status === NOT_FOUND)
    return (
      <div role="alert" className="rounded-16 bg-card">
        <EmptyState icon="warn" title={error.message} next={{ to: '/', label: t('notFound.home') }} />
      </div>
    )
  return (
    <div role="alert" className="flex flex-wrap items-center gap-3 rounded-16 bg-card p-4">
      <div className="flex flex-1 basis-60 items-start gap-3">
        <IconCircle icon="refresh" tone="bad" />
        <div className="min-w-0">
          <p className="text-16 font-semibold">{text ?? t('common.couldNotLoad')}</p>
          <p className="text-14 text-muted">{t('common.nothingChanged')}</p>
        </div>
      </div>
      <Button variant="secondary" className="ml-auto" onClick={onRetry}>
        {retryLabel ?? t('common.retry')}
      </Button>
    </div>
  )
}

export interface StateBarProps {
  icon: IconName
  /** Amber where something is stopped, blue for news, grey for a state of the device. */
  tone?: 'quiet' | 'warn' | 'info'
  children: ReactNode
}

const BARS = {
  quiet: { box: 'bg-sunken', icon: 'text-muted' },
  warn: { box: 'bg-warn-soft', icon: 'text-warn' },
  info: { box: 'bg-accent-soft', icon: 'text-accent' },
} as const

/** A state that applies to every page, above its title. */
export function StateBar({ icon, tone = 'quiet', children }: StateBarProps) {
  const look = BARS[tone]
  return (
    <div role="status" className={cx('print:hidden', look.box)}>
      <div className="column flex gap-2.5 px-4 py-2.5 text-14 text-ink lg:px-7">
        <Icon name={icon} size={20} className={look.icon} />
        <div className="min-w-0 flex-1">{children}</div>
      </div>
    </div>
  )
}

export interface NoticeProps {
  tone?: 'info' | 'warn' | 'bad' | 'good'
  /** In place of the tone's own. */
  icon?: IconName
  title?: string
  children: ReactNode
  action?: ReactNode
}

const NOTICE = {
  info: { box: 'bg-accent-soft', icon: 'info', ink: 'text-accent' },
  warn: { box: 'bg-warn-soft', icon: 'warn', ink: 'text-warn' },
  bad: { box: 'bg-bad-soft', icon: 'warn', ink: 'text-bad' },
  good: { box: 'bg-good-soft', icon: 'check', ink: 'text-good' },
} as const

/** A remark that stays on the page: a risk, a hint, or a problem. */
export function Notice({ tone = 'info', icon, title, children, action }: NoticeProps) {
  const look = NOTICE[tone]
  return (
    <div className={cx('flex gap-3 rounded-16 px-4 py-3.5 text-14', look.box)}>
      <Icon name={icon ?? look.icon} size={20} className={look.ink} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="mb-1 font-semibold">{title}</p>}
        <div className="text-ink">{children}</div>
        {action !== undefined && <div className="mt-3 empty:hidden">{action}</div>}
      </div>
    </div>
  )
}

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

/** The link at the end of a notice to a page with details. */
export function NoticeLink({ to, children }: { to: PlainPath; children: ReactNode }) {
  return (
    <PageLink to={to} className="-my-3 inline-flex min-h-11 items-center font-semibold text-accent">
      {children}
    </PageLink>
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
