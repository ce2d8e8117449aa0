import type { ReactNode } from 'react'
import { ApiError, cx, type HelpAbout, PageLink, type PlainPath, useTranslation } from '../lib/index.ts'
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

/** The link at the end of a notice to a page with details. */
export function NoticeLink({ to, children }: { to: PlainPath; children: ReactNode }) {
  return (
    <PageLink to={to} className="-my-3 inline-flex min-h-11 items-center font-semibold text-accent">
      {children}
    </PageLink>
  )
}
