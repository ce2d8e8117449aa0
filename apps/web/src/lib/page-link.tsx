import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type PagePath, pageSpec, type SearchOf } from './pages.ts'

export interface PageLinkProps<P extends PagePath> {
  to: P
  search?: SearchOf<P>
  className?: string
  'aria-current'?: 'page' | undefined
  children: ReactNode
}

/** A real link to a page: tabs are switched, other pages opened on top; the page's code loads on touch or hover. */
export function PageLink<P extends PagePath>({ to, search, children, ...rest }: PageLinkProps<P>) {
  return (
    <Link
      to={to as string}
      search={(search ?? {}) as never}
      replace={pageSpec(to)?.tab !== undefined}
      preload="intent"
      {...rest}
    >
      {children}
    </Link>
  )
}
