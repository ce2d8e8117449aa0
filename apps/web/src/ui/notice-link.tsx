import type { ReactNode } from 'react'
import type { PlainPath } from '../lib/navigation.ts'
import { PageLink } from '../lib/page-link.tsx'

/** At the end of a notice: the page that says more. */
export function NoticeLink({ to, children }: { to: PlainPath; children: ReactNode }) {
  return (
    <PageLink to={to} className="-my-3 inline-flex min-h-11 items-center font-semibold text-accent">
      {children}
    </PageLink>
  )
}
