import type { ReactNode } from 'react'
import { useTranslation } from '../lib/i18n.ts'
import { navigateBack, type PlainPath } from '../lib/navigation.ts'
import { PageLink } from '../lib/page-link.tsx'
import { IconButton } from './button.tsx'
import { PageHeading } from './page-heading.tsx'

export interface NavBarProps {
  title: string
  /** The arrow back; tab pages have none. */
  back?: boolean
  /** Buttons at the right end. */
  actions?: ReactNode
}

/** The custom navigation bar on top of a page. */
export function NavBar({ title, back = true, actions }: NavBarProps) {
  const { t } = useTranslation()
  return (
    <header className="sticky top-0 z-10 bg-page/90 backdrop-blur">
      <div className="column flex h-14 items-center gap-1 px-1">
        <span className="w-11 shrink-0">
          {back && <IconButton icon="back" label={t('common.back')} size={24} onClick={navigateBack} />}
        </span>
        <PageHeading title={title} className="text-center" />
        <span className="flex min-w-11 shrink-0 items-center justify-end">{actions}</span>
      </div>
    </header>
  )
}

/** The way to another page at the right end of the bar. */
export function NavLink({ to, children }: { to: PlainPath; children: ReactNode }) {
  return (
    <PageLink to={to} className="inline-flex min-h-11 items-center px-3 text-14 font-medium text-accent">
      {children}
    </PageLink>
  )
}
