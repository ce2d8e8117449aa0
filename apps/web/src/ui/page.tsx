import { type ReactNode, useEffect, useRef } from 'react'
import { cx, navigateBack, PageLink, type PlainPath, type TabPath, useTranslation } from '../lib/index.ts'
import { buttonClass, IconButton } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

const firstPath = window.location.pathname
/** True once a page other than the first of the visit was opened. */
let hasMoved = false

/**
 * The heading of a page, in two lines at most; the window's title is complete. After a change of pages, the
 * focus starts here, for keyboards and screen readers, because the element that opened the page is gone.
 */
export function PageHeading({ title, className }: { title: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const app = useTranslation().t('common.appTitle')
  useEffect(() => {
    hasMoved ||= window.location.pathname !== firstPath
    // The router restores the scroll position.
    if (hasMoved) heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = title === app ? app : `${title} · ${app}`
  }, [title, app])
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={cx(
        'min-w-0 flex-1 line-clamp-2 text-balance text-17 leading-tight font-semibold outline-none',
        className,
      )}
    >
      {title}
    </h1>
  )
}

/** The first stop of the Tab key where a navigation stands beside the page: leads past it to the heading. */
export function SkipLink() {
  const { t } = useTranslation()
  return (
    <button
      type="button"
      className={cx(buttonClass('primary'), 'fixed left-3 top-3 z-20 not-focus-visible:-translate-y-20')}
      onClick={() => document.querySelector<HTMLElement>('h1')?.focus()}
    >
      {t('common.toPage')}
    </button>
  )
}

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
    <header className="sticky top-0 z-10 bg-page">
      <div
        className={cx(
          'column flex items-center gap-1',
          back ? 'h-14 px-1 lg:h-16 lg:px-4' : 'h-16 pl-4 pr-1 pt-2 lg:px-7',
        )}
      >
        {back && (
          <span className="w-11 shrink-0">
            <IconButton icon="back" label={t('common.back')} size={24} onClick={navigateBack} />
          </span>
        )}
        <PageHeading
          title={title}
          className={back ? 'text-center lg:text-left lg:text-20' : 'font-display text-28!'}
        />
        <span className="flex min-w-11 shrink-0 items-center justify-end">{actions}</span>
      </div>
    </header>
  )
}

/** A link to another page at the right end of the bar. */
export function NavLink({ to, children }: { to: PlainPath; children: ReactNode }) {
  return (
    <PageLink to={to} className="inline-flex min-h-11 items-center px-3 text-14 font-medium text-accent">
      {children}
    </PageLink>
  )
}

export interface PageProps extends NavBarProps {
  /** Takes the whole width beside the navigation from 1024 px, for `Columns` and tables. */
  wide?: boolean
  children: ReactNode
  /** Stays at the lower edge, such as the one button of a form. */
  footer?: ReactNode
}

/** A page: navigation bar, content in the column with 16 px between its parts, an optional footer. */
export function Page({ children, footer, wide = false, ...bar }: PageProps) {
  return (
    <div className={wide ? 'wide' : undefined}>
      <NavBar {...bar} />
      <main className="column flex flex-col gap-4 px-4 pb-8 pt-2 lg:px-7">{children}</main>
      {footer !== undefined && (
        <footer className="sticky bottom-0 z-10 border-t border-line bg-page pb-[env(safe-area-inset-bottom)]">
          <div className="column px-4 py-3 lg:px-7">{footer}</div>
        </footer>
      )}
    </div>
  )
}

export interface TabItem {
  to: TabPath
  label: string
  icon: IconName
}

/** The bottom tab bar: 65 px high, labels of 10 px, icons of 24 px; the selected one in ink (#061237 in the light theme). */
export function TabBar({
  items,
  current,
  label,
}: {
  items: readonly TabItem[]
  current: string
  label: string
}) {
  return (
    <nav
      aria-label={label}
      className="fixed inset-x-0 bottom-0 z-10 border-t border-line bg-card lg:hidden pb-[env(safe-area-inset-bottom)]"
    >
      <div className="column flex h-[65px]">
        {items.map((item) => {
          const selected = item.to === current
          return (
            <PageLink
              key={item.to}
              to={item.to}
              aria-current={selected ? 'page' : undefined}
              className={cx(
                'flex min-w-0 flex-1 flex-col items-center justify-center gap-[3px] whitespace-nowrap text-10',
                selected ? 'font-bold text-ink [&_path]:fill-current/14' : 'font-medium text-muted',
              )}
            >
              <Icon name={item.icon} size={24} />
              {item.label}
            </PageLink>
          )
        })}
      </div>
    </nav>
  )
}
