import { useEffect, useRef } from 'react'
import { useTranslation } from './i18n.ts'

const firstPath = window.location.pathname
/** Whether the member has been led to another page than the one that the app was opened at. */
let hasMoved = false

/**
 * The heading of a page: the window's title says it too. Whoever comes from another page starts at it, by keyboard and by
 * screen reader, because what opened the page is gone.
 */
export function usePageHeading(title: string) {
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
  return heading
}
