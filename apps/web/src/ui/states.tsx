import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { cx, PageLink, type PlainPath, useConnectionLost, useTranslation } from '../lib/index.ts'
import { Button, buttonClass } from './button.tsx'
import { IconCircle } from './card.tsx'
import { Icon, type IconName } from './icon.tsx'

/** A grey shape in the place of what is being loaded; give it its size by class. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx('animate-pulse rounded-8 bg-sunken', className)} />
}

/** Some lines of a list that is being loaded, announced as such. */
export function ListSkeleton({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')} className="flex flex-col gap-3">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
        <Skeleton key={index} className="h-18 rounded-16" />
      ))}
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
}

/** Nothing is here yet, and what to do next. */
export function EmptyState({ icon = 'info', title, hint, action, next }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-8 text-center">
      <IconCircle icon={icon} tone="info" />
      <p className="pt-1 text-16 font-semibold">{title}</p>
      {hint !== undefined && <p className="text-14 text-muted">{hint}</p>}
      {action}
      {next !== undefined && (
        <PageLink to={next.to} className={buttonClass('secondary')}>
          {next.label}
        </PageLink>
      )}
    </div>
  )
}

export interface ErrorStateProps {
  onRetry: () => void
  text?: string
  retryLabel?: string
}

/** 'Load Failed', with a way to try again. */
export function ErrorState({ onRetry, text, retryLabel }: ErrorStateProps) {
  const { t } = useTranslation()
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-12 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-bad-soft text-bad">
        <Icon name="warn" />
      </span>
      <p className="text-16 font-semibold">{text ?? t('common.loadFailed')}</p>
      <Button variant="secondary" icon="refresh" onClick={onRetry}>
        {retryLabel ?? t('common.retry')}
      </Button>
    </div>
  )
}

export interface NoticeProps {
  tone?: 'info' | 'warn' | 'bad' | 'good'
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

/** A remark that stays on the page: a risk, a hint, something gone wrong. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const look = NOTICE[tone]
  return (
    <div className={cx('flex gap-3 rounded-16 px-4 py-3.5 text-14', look.box)}>
      <Icon name={look.icon} size={20} className={look.ink} />
      <div className="min-w-0 flex-1">
        {title !== undefined && <p className="mb-1 font-semibold">{title}</p>}
        <div className="text-ink">{children}</div>
        {action !== undefined && <div className="mt-3">{action}</div>}
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
  query: Pick<UseQueryResult<T>, 'data' | 'isError' | 'refetch'>
  /** Of the size of what will stand there, so that nothing moves when it comes. */
  skeleton?: ReactNode
  /** The label of the button; 'Retry' by default. */
  retryLabel?: string
  children: (data: T) => ReactNode
}

/**
 * A part of a page that is read on its own: its skeleton, what was read, or a way to try again. The skeleton stands also
 * while the code that draws it is on its way.
 */
export function Loaded<T>({ query, skeleton = <ListSkeleton />, retryLabel, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <Suspense fallback={skeleton}>{children(query.data)}</Suspense>
  if (query.isError)
    return (
      <ErrorState onRetry={() => void query.refetch()} {...(retryLabel !== undefined && { retryLabel })} />
    )
  return skeleton
}

export interface FollowedProps<T> {
  /** The result of `useQuery(apiFollow(...))`. */
  query: UseQueryResult<T>
  /** Said above the content when it may be out of date. */
  staleText: string
  children: (data: T) => ReactNode
}

/** One thing that is followed while it changes, in all its states: skeleton, error with retry, content, content out of date. */
export function Followed<T>({ query, staleText, children }: FollowedProps<T>) {
  const isLost = useConnectionLost()
  const retry = () => void query.refetch()
  if (query.isPending) return <ListSkeleton />
  if (query.data === undefined) return <ErrorState onRetry={retry} />
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

/** At the end of a notice: the page that says more. */
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

/** A warning of a loss that is possible, with the way to the page that explains all risks. */
export function RiskNotice({ title, text }: RiskNoticeProps) {
  const { t } = useTranslation()
  return (
    <Notice tone="warn" title={title} action={<NoticeLink to="/pages/my/risk">{t('info.more')}</NoticeLink>}>
      {text}
    </Notice>
  )
}
