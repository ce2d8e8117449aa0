import { createBrowserHistory, useSearch } from '@tanstack/react-router'
import {
  hrefOf,
  type PagePath,
  type PlainPath,
  pageSpec,
  type SearchArgs,
  type SearchOf,
  type TabPath,
} from './pages.ts'

/** The app's one history; the router runs on it too. */
export const history = createBrowserHistory()

/** A navigation that the rules of the specification (section 2) reject. */
export class NavigationError extends Error {}

/** Opens a page on top of this one. Rejects a tab page; an unknown page leads to page-not-found. */
export function navigateTo<P extends PlainPath>(path: P, ...search: SearchArgs<P>) {
  refuseTab('navigateTo', path)
  history.push(hrefOf<PagePath>(path, ...(search as SearchArgs<PagePath>)))
}

/** Puts a page in this one's place. Rejects a tab page. */
export function redirectTo<P extends PlainPath>(path: P, ...search: SearchArgs<P>) {
  refuseTab('redirectTo', path)
  history.replace(hrefOf<PagePath>(path, ...(search as SearchArgs<PagePath>)))
}

/** Changes to a tab. Rejects any other page. It takes this page's place, so that back on a tab leaves the app. */
export function switchTab<P extends TabPath>(path: P, ...search: SearchArgs<P>) {
  const spec = pageSpec(path)
  if (spec !== null && spec.tab === undefined)
    throw new NavigationError(`switchTab: ${path} is not a tab page`)
  history.replace(hrefOf<PagePath>(path, ...(search as SearchArgs<PagePath>)))
}

/** Back to where the member came from, or home when the page was opened from outside. */
export function navigateBack() {
  if (history.canGoBack()) history.back()
  else switchTab('/')
}

function refuseTab(method: string, path: string) {
  if (pageSpec(path)?.tab !== undefined) throw new NavigationError(`${method}: ${path} is a tab page`)
}

/** The page's own query string, read by its schema in the table of pages. */
export function usePageSearch<P extends PagePath>(_path: P): SearchOf<P> {
  return useSearch({ strict: false }) as SearchOf<P>
}
