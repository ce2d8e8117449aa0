import { type ReactNode, type ToggleEvent, useState } from 'react'
import { cx } from '../lib/index.ts'
import { Icon } from './icon.tsx'

export interface DisclosureProps {
  title: ReactNode
  /** Unfolded from the start. */
  open?: boolean
  /** Below a chart, whose other words are small too. */
  small?: boolean
  className?: string
  children: ReactNode
}

/**
 * Folds details under their title, and renders them once they are unfolded. The arrow shows the state and turns when they are open.
 */
export function Disclosure({ title, open, small = false, className, children }: DisclosureProps) {
  const [wasOpen, setWasOpen] = useState(open === true)
  const onToggle = (event: ToggleEvent<HTMLDetailsElement>) => {
    if (event.currentTarget.open) setWasOpen(true)
  }
  return (
    <details open={open} className={cx('text-14', className)} onToggle={onToggle}>
      <summary
        className={cx(
          'flex min-h-11 cursor-pointer list-none items-center gap-1 font-medium text-accent',
          small && 'text-12',
        )}
      >
        {title}
        <Icon
          name="down"
          size={16}
          className="transition-transform duration-150 [[open]>summary>&]:rotate-180"
        />
      </summary>
      {(open || wasOpen) && children}
    </details>
  )
}
