import type { ReactNode } from 'react'
import { cx } from '../lib/index.ts'
import { Spinner } from './button.tsx'
import { Icon } from './icon.tsx'

export type StepState = 'waiting' | 'active' | 'done' | 'failed' | 'skipped'

export interface Step {
  id: string
  title: string
  state: StepState
  /** At the end of the title's line: when it happened, or how long it takes. */
  time?: ReactNode
  /** Under the title: a time, a hash, what to do in the wallet. */
  detail?: ReactNode
  /** An active step that waits for the member: it shows its number instead of a spinner. */
  isYours?: boolean
}

const DOTS: Record<StepState, string> = {
  waiting: 'border-line-strong text-muted',
  active: 'border-ink text-ink ring-4 ring-accent-soft',
  done: 'border-good bg-good text-card',
  failed: 'border-bad text-bad',
  skipped: 'border-line-strong text-muted',
}

/** Steps from top to bottom: those of a payment, or the history of an order or a withdrawal. */
export function Stepper({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ol aria-label={label} className="flex flex-col">
      {steps.map((step, index) => (
        <li
          key={step.id}
          aria-current={step.state === 'active' ? 'step' : undefined}
          data-state={step.state}
          className="flex gap-3"
        >
          <div className="flex flex-col items-center">
            <span
              className={cx(
                'grid size-7 shrink-0 place-items-center rounded-full border-2 text-[0.8125rem] font-semibold',
                DOTS[step.state],
              )}
            >
              <Dot
                state={step.isYours && step.state === 'active' ? 'waiting' : step.state}
                number={index + 1}
              />
            </span>
            {index < steps.length - 1 && (
              <span
                className={cx(
                  'my-0.5 w-0.5 flex-1 rounded-full',
                  step.state === 'done' ? 'bg-good' : 'bg-line-strong',
                )}
              />
            )}
          </div>
          <div className={cx('min-w-0 flex-1 pt-0.5', index < steps.length - 1 && 'pb-5')}>
            <p
              className={cx(
                'flex flex-wrap items-baseline justify-between gap-x-3 text-16',
                step.state === 'waiting' || step.state === 'skipped'
                  ? 'font-medium text-muted'
                  : 'font-semibold',
              )}
            >
              {step.title}
              {step.time !== undefined && <span className="text-13 font-normal text-muted">{step.time}</span>}
            </p>
            {step.detail !== undefined && <div className="mt-1 text-14 text-muted">{step.detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  )
}

function Dot({ state, number }: { state: StepState; number: number }) {
  if (state === 'active') return <Spinner size={16} />
  if (state === 'done') return <Icon name="check" size={16} />
  if (state === 'failed') return <Icon name="close" size={16} />
  return number
}
