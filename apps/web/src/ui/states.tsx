import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'
import { useTranslation } from '../lib/i18n.ts'
import { Button } from './button.tsx'
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
        <Skeleton key={index} className="h-18 rounded-12" />
      ))}
    </div>
  )
}

export interface EmptyStateProps {
  icon?: IconName
  title: string
  hint?: string
  /** The next step: a button or a link. */
  action?: ReactNode
}

/** Nothing is here yet, and what to do next. */
export function EmptyState({ icon = 'info', title, hint, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-8 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-sunken text-muted">
        <Icon name={icon} />
      </span>
      <p className="text-16 font-semibold">{title}</p>
      {hint !== undefined && <p className="text-14 text-muted">{hint}</p>}
      {action}
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
    <div className={cx('flex gap-3 rounded-12 p-4 text-14', look.box)}>
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

/** What is shown could not be read anew and may be out of date. */
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
