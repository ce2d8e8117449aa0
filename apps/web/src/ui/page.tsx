import type { ReactNode } from 'react'
import { NavBar, type NavBarProps } from './nav-bar.tsx'

export interface PageProps extends NavBarProps {
  children: ReactNode
  /** Stays at the lower edge, such as the one button of a form. */
  footer?: ReactNode
}

/** A page: navigation bar, content in the column with 16 px between its parts, an optional footer. */
export function Page({ children, footer, ...bar }: PageProps) {
  return (
    <>
      <NavBar {...bar} />
      <main className="column flex flex-col gap-4 px-4 pb-8 pt-2">{children}</main>
      {footer !== undefined && (
        <footer className="sticky bottom-0 z-10 bg-page/95 pb-[env(safe-area-inset-bottom)]">
          <div className="column px-4 py-3">{footer}</div>
        </footer>
      )}
    </>
  )
}
