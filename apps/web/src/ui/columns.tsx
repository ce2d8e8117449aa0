import type { ReactNode } from 'react'
import { cx, useIsWide, useIsWidest } from '../lib/index.ts'

export interface ColumnsProps {
  children: ReactNode
  /** From 1024 px on a column of 328 px beside the main one; below it the same parts follow. */
  side: ReactNode
}

/** The main column of a page and a narrow one beside it. */
export function Columns({ children, side }: ColumnsProps) {
  return (
    <div className={cx(GRID, 'gap-6 lg:grid-cols-[minmax(0,1fr)_328px] lg:gap-4')}>
      <div className="flex min-w-0 flex-col gap-6 lg:gap-4">{children}</div>
      <div className="flex min-w-0 flex-col gap-6 lg:gap-4">{side}</div>
    </div>
  )
}

const GRID = 'grid grid-cols-[minmax(0,1fr)] items-start'

/** An endless list and, where the window has enough space beside a table (from 1280 px), related content. */
export function ListColumns({ children, side }: ColumnsProps) {
  const isWidest = useIsWidest()
  return (
    <div className={cx(GRID, 'gap-4', isWidest && 'grid-cols-[minmax(0,1fr)_328px]!')}>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
      {isWidest && <div className="sticky top-18 flex min-w-0 flex-col gap-4">{side}</div>}
    </div>
  )
}

/** A part that only a desktop has space for (from 1024 px); a phone neither renders nor loads it. */
export function DesktopOnly({ children }: { children: ReactNode }) {
  return useIsWide() ? children : null
}
