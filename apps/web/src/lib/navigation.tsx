import {
  createBrowserHistory,
  type LinkComponent,
  type LinkProps,
  type RegisteredRouter,
  type RouteById,
  type RouteIds,
  useRouter,
} from '@tanstack/react-router'
import type { ComponentProps, MouseEvent } from 'react'
import { browser } from './layers.ts'

type Tree = RegisteredRouter['routeTree']
/** The path of a page, as declared in `app/pages.ts` and registered with the router. */
export type PagePath = Exclude<RouteIds<Tree>, '__root__'>
/** The query string of a page. */
export type PageSearch<P extends PagePath> = RouteById<Tree, P>['types']['fullSearchSchema']
type SearchArgs<P extends PagePath> =
  Record<never, never> extends PageSearch<P> ? [search?: PageSearch<P>] : [search: PageSearch<P>]
/** A page that can be opened without a query string. */
export type PlainPath = { [P in PagePath]: Record<never, never> extends PageSearch<P> ? P : never }[PagePath]

/** The pages of the tab bar, in order. */
export const TAB_PATHS = [
  '/',
  '/pages/rewardList/index',
  '/pages/shop/index',
  '/pages/found/home',
  '/pages/my/index',
] as const
export type TabPath = (typeof TAB_PATHS)[number]
export const isTab = (path: unknown): path is TabPath => TAB_PATHS.some((tab) => tab === path)

/** The app's only history; the router uses it too. */
export const history = createBrowserHistory({ window: browser })

/** A navigation that the rules of the specification (section 2) do not allow. */
export class NavigationError extends Error {}

/** Writes a query string, with its question mark; values that are undefined are left out. */
export function writeSearch(search: object): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

/** Opens a page on top of this one. Rejects a tab page; an unknown path leads to page-not-found. */
export function navigateTo<P extends Exclude<PagePath, TabPath>>(path: P, ...[search = {}]: SearchArgs<P>) {
  refuseTab('navigateTo', path)
  history.push(path + writeSearch(search))
}

/** Replaces this page by another. Rejects a tab page. */
export function redirectTo<P extends Exclude<PagePath, TabPath>>(path: P, ...[search = {}]: SearchArgs<P>) {
  refuseTab('redirectTo', path)
  history.replace(path + writeSearch(search))
}

/**
 * Changes to a tab. Rejects any other page. The tab replaces the first page of the visit, also from a deeper
 * page, so that back on a tab leaves the app.
 */
export function switchTab<P extends TabPath>(path: P, ...[search = {}]: SearchArgs<P>) {
  if (!isTab(path)) throw new NavigationError(`switchTab: ${path} is not a tab page`)
  const href = path + writeSearch(search)
  const depth = depthOf(history.location.state)
  if (depth === 0) return history.replace(href)
  const arrive = () => {
    stop()
    clearTimeout(late)
    history.replace(href)
  }
  const stop = history.subscribe(arrive)
  // Pages opened at the same moment share an entry, so there may be fewer entries than were counted.
  const late = setTimeout(arrive, BACK_MS)
  history.flush()
  history.go(-depth)
}
/** The time within which a browser goes back. */
const BACK_MS = 500

/** Returns the number of pages of this visit below the current one, as the router counts them. */
const depthOf = (state: object): number => ('__TSR_index' in state ? Number(state.__TSR_index) : 0)

/** Returns to the previous page, or home when the page was opened from outside. */
export function navigateBack() {
  if (history.canGoBack()) history.back()
  else switchTab('/')
}

function refuseTab(method: string, path: string) {
  if (isTab(path)) throw new NavigationError(`${method}: ${path} is a tab page`)
}

/** The time for which a pointer rests on a link before its page is loaded. */
const INTENT_MS = 50
let intent: ReturnType<typeof setTimeout> | undefined

/**
 * A link to a page: a tab is switched, another page opened on top. The page is loaded once a finger touches the link, or a pointer or
 * the focus rests on it. Plain, unlike the router's own link, which follows every navigation: pages and rows have dozens of links.
 */
export const PageLink: LinkComponent<'a'> = (props) => {
  const { to, search, onClick, ...rest } = props as LinkProps & ComponentProps<'a'> & { to: PagePath }
  const router = useRouter()
  const target = { to, search } as LinkProps
  const href = to + writeSearch((search as object | undefined) ?? {})
  const load = () => void router.preloadRoute(target as never).catch(() => undefined)
  const wait = () => {
    leave()
    intent = setTimeout(load, INTENT_MS)
  }
  const leave = () => clearTimeout(intent)
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    const { button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented } = event
    if (button !== 0 || metaKey || ctrlKey || shiftKey || altKey || defaultPrevented) return
    event.preventDefault()
    leave()
    // A link replaces only the page that it is on: a tab must also drop the pages below.
    if (isTab(to) && depthOf(history.location.state) > 0)
      switchTab(to, ...([search] as SearchArgs<typeof to>))
    else void router.navigate({ ...target, replace: isTab(to) })
  }
  return (
    <a
      aria-current={href === history.location.href ? 'page' : undefined}
      {...rest}
      href={href}
      onClick={open}
      onFocus={wait}
      onBlur={leave}
      onMouseEnter={wait}
      onMouseLeave={leave}
      onTouchStart={load}
    />
  )
}
