import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type Register,
  redirect,
} from '@tanstack/react-router'
import {
  history,
  inTime,
  isMember,
  isSignedIn,
  isTab,
  needAllTexts,
  needTabTexts,
  sessionStore,
  takeReturnPath,
  writeSearch,
} from '../lib/index.ts'
import { ADMIN_HOME, guard, LOGIN_PATH } from './guard.ts'
import { Layout } from './layout.tsx'
import { NotFoundPage, PageError, PagePending } from './page-states.tsx'
import { type PageSpec, pages } from './pages.ts'

/** The time for which a page may load before its placeholder is shown. Specification section 9. */
const ASYNC_PAGE_DELAY_MS = 200

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ location }) => {
    const decision = guard(location.pathname, isSignedIn(), isMember())
    if (decision === 'login') throw redirect({ to: LOGIN_PATH, replace: true })
    if (location.pathname === LOGIN_PATH && isSignedIn()) returnToPage()
    if (decision === 'home') throw redirect({ to: '/', replace: true })
    if (decision === 'admin') throw redirect({ to: ADMIN_HOME, replace: true })
    if (location.pathname !== LOGIN_PATH) await (isTab(location.pathname) ? needTabTexts() : needAllTexts())
  },
})

/** Returns a member who signs in again to the page on which the session ended. */
function returnToPage() {
  const path = takeReturnPath()
  if (path === null) return
  const { pathname, searchParams } = new URL(path, window.location.origin)
  if (pathname === LOGIN_PATH) return
  throw redirect({ to: pathname as '/', search: Object.fromEntries(searchParams) as never, replace: true })
}

type Path = keyof typeof pages
type SearchReader<P extends Path> = (typeof pages)[P] extends { search: infer Read } ? Read : undefined

/** Creates the route of a declared page, with the type of its query string. */
function pageRoute<P extends Path>(path: P) {
  const { load, admin, open, search }: PageSpec = pages[path]
  return createRoute<Register, typeof root, P, P, string, P, SearchReader<P>>({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => inTime(load())),
    ...(admin && { beforeLoad: open ? loadOperatorSide : requireAdmin }),
    validateSearch: search as never,
  })
}

type PageRoutes = { [P in Path]: ReturnType<typeof pageRoute<P>> }
const pageRoutes = Object.fromEntries(
  Object.keys(pages).map((path) => [path, pageRoute(path as Path)]),
) as unknown as PageRoutes

/** Prepares a page of the operator's side that decides itself what others see. */
async function loadOperatorSide() {
  const operators = await inTime(import('../features/admin/is-admin.ts'))
  await operators.loadOperatorSide()
}

/** Hides the operator's pages from everybody except admins. */
async function requireAdmin() {
  const { isAdmin } = await inTime(import('../features/admin/is-admin.ts'))
  if (!(await isAdmin())) throw notFound()
}

/**
 * The router of the declared pages. Query strings are plain text: an id of 19 digits must not become a
 * number.
 */
export const router = createRouter({
  routeTree: root.addChildren(pageRoutes),
  history,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: writeSearch,
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultPendingMs: ASYNC_PAGE_DELAY_MS,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

// Signing in and out, here or in another tab, redirects as the guard requires.
let signedIn = isSignedIn()
sessionStore.subscribe(() => {
  if (signedIn === isSignedIn()) return
  signedIn = isSignedIn()
  void router.invalidate()
})
