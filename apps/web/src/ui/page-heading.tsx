import { useEffect, useRef } from 'react'
import { cx } from '../lib/cx.ts'
import { useTranslation } from '../lib/i18n.ts'

const firstPath = window.location.pathname
/** Whether the member has been led to another page than the one that the app was opened at. */
let hasMoved = false

/**
 * The heading of a page, in one line: the window's title says it too. Whoever comes from another page starts at it, by
 * keyboard and by screen reader, because what opened the page is gone.
 */
export function PageHeading({ title, className }: { title: string; className?: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const app = useTranslation().t('common.appTitle')
  useEffect(() => {
    hasMoved ||= window.location.pathname !== firstPath
    // The place in the page is the router's to restore.
    if (hasMoved) heading.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    document.title = title === app ? app : `${title} · ${app}`
  }, [title, app])
  return (
    <h1
      ref={heading}
      tabIndex={-1}
      className={cx('min-w-0 flex-1 truncate text-16 font-semibold outline-none', className)}
    >
      {title}
    </h1>
  )
}
