import type { ReactNode } from 'react'
import { cx } from '../lib/cx.ts'

/** A surface for things that belong together. */
export function Card({ children, className }: { children: ReactNode; className?: string }) {
  return <div className={cx('rounded-12 bg-card p-4', className)}>{children}</div>
}

export interface SectionProps {
  title: string
  /** Stands at the end of the title's line, such as a link to all. */
  aside?: ReactNode
  children: ReactNode
}

/** A part of a page under its own heading. */
export function Section({ title, aside, children }: SectionProps) {
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-3 px-1">
        <h2 className="text-16 font-semibold">{title}</h2>
        {aside !== undefined && (
          <span className="-my-3 text-14 font-medium text-accent *:inline-flex *:min-h-11 *:min-w-11 *:items-center *:justify-end">
            {aside}
          </span>
        )}
      </div>
      {children}
    </section>
  )
}

/** Labelled values, one a line: the fields of an order or a withdrawal. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-col gap-3 text-14">{children}</dl>
}

/** One labelled value inside `Facts`. */
export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <dt className="text-muted">{label}</dt>
      <dd className="ml-auto min-w-0 text-right">{children}</dd>
    </div>
  )
}
