import type { ErrorCode } from '@rif/api-schema'
import { lazy, Suspense } from 'react'
import { cx, type HelpAbout } from '../lib/index.ts'

const HelpTarget = lazy(() => import('./help-target.tsx'))

export interface HelpLinkProps {
  about: HelpAbout | ErrorCode | `flow.${string}`
  /** Stands in a running text. */
  inline?: boolean
  className?: string
}

/** The link from an error or a state to the article of the help that explains it. Its code is loaded where it is drawn. */
export function HelpLink({ about, inline = false, className }: HelpLinkProps) {
  const look = inline
    ? 'touch-line inline-block font-semibold underline underline-offset-4'
    : 'inline-flex min-h-11 items-center font-semibold text-accent'
  return (
    <Suspense>
      <HelpTarget about={about} className={cx(look, className)} />
    </Suspense>
  )
}
