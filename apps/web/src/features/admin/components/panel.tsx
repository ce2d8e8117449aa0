import type { ReactNode } from 'react'
import { Card, Icon } from '../../../ui/index.ts'

interface PanelProps {
  title: string
  /** Shown at the end of the title's line. */
  aside?: ReactNode
  children: ReactNode
}

/** A card of the operators' pages with its heading inside. */
export function Panel({ title, aside, children }: PanelProps) {
  return (
    <section>
      <Card className="flex min-w-0 flex-col gap-3">
        <header className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="text-16 font-semibold">{title}</h2>
          {aside !== undefined && <span className="text-12 text-muted">{aside}</span>}
        </header>
        {children}
      </Card>
    </section>
  )
}

/** Shows in one line that a queue is empty. */
export function NothingWaits({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-center gap-2 text-14 text-muted">
      <Icon name="check" size={16} className="text-good" />
      {children}
    </p>
  )
}
