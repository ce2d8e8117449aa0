import type { ReactNode } from 'react'
import { PageLink } from '../lib/page-link.tsx'
import type { PagePath } from '../lib/pages.ts'

/** At the end of a notice: the page that says more. */
export function NoticeLink({ to, children }: { to: PagePath; children: ReactNode }) {
  return (
    <PageLink to={to} className="-my-3 inline-flex min-h-11 items-center font-semibold text-accent">
      {children}
    </PageLink>
  )
}
