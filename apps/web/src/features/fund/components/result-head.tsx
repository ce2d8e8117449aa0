import type { ReactNode } from 'react'
import { cx } from '../../../lib/index.ts'
import { Icon, Spinner } from '../../../ui/index.ts'

export interface ResultHeadProps {
  state: 'good' | 'working' | 'waiting' | 'off'
  title: string
  hint?: string | null
  children?: ReactNode
}

/** What became of it, in a sign, a sentence and what it means. */
export function ResultHead({ state, title, hint, children }: ResultHeadProps) {
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-4 py-6 text-center">
      <span
        className={cx(
          'grid size-16 place-items-center rounded-full',
          state === 'good' ? 'bg-good-soft text-good' : 'bg-sunken text-muted',
        )}
      >
        {state === 'working' && <Spinner size={28} />}
        {state === 'good' && <Icon name="check" size={32} />}
        {state === 'waiting' && <Icon name="clock" size={28} />}
        {state === 'off' && <Icon name="close" size={28} />}
      </span>
      <h2 className="text-20 font-semibold">{title}</h2>
      {hint != null && <p className="text-14 text-muted">{hint}</p>}
      {children}
    </div>
  )
}
