import type { ReactNode } from 'react'
import { useIsWide, useTranslation } from '../lib/index.ts'
import { Icon } from './icon.tsx'
import { Skeleton } from './states.tsx'

export interface FormColumnsProps {
  /** The fields. */
  children: ReactNode
  /** The result: figures, limits and the next step. */
  side: ReactNode
  /** The only button, which names the departing amount. */
  action: ReactNode
}

/**
 * A form of money in one order: fields, what comes of them, button. From 1024 px the outcome is beside both and follows them for
 * the keyboard too; below it the button stays at the lower edge.
 */
export function FormColumns({ children, side, action }: FormColumnsProps) {
  const isWide = useIsWide()
  const outcome = (
    <div key="side" className="flex min-w-0 flex-col gap-4 lg:col-start-2 lg:row-span-2 lg:row-start-1">
      {side}
    </div>
  )
  const button = (
    <div
      key="action"
      className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-2 bg-page px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] lg:static lg:mx-0 lg:p-0"
    >
      {action}
    </div>
  )
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_328px] lg:grid-rows-[auto_1fr]">
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
      {isWide ? [button, outcome] : [outcome, button]}
    </div>
  )
}

/** The skeleton of such a form while its figures load. */
export function FormSkeleton() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('common.loading')}>
      <FormColumns
        side={
          <>
            <Skeleton className="h-32 rounded-16" />
            <Skeleton className="h-24 rounded-16" />
          </>
        }
        action={<Skeleton className="h-13 rounded-16" />}
      >
        <Skeleton className="my-1 h-12 rounded-12" />
        <Skeleton className="mt-7 h-18 rounded-16" />
        <Skeleton className="mt-7 h-18 rounded-16" />
      </FormColumns>
    </div>
  )
}

/** The remaining amount, below a valid amount. */
export function FitsHint({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1.5">
      <Icon name="check" size={16} className="mt-0.5" />
      <span>{children}</span>
    </span>
  )
}
