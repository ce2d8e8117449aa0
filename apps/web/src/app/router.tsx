import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { needAllTexts } from '../lib/i18n.ts'
import { history } from '../lib/navigation.ts'
import { type PagePath, pageSpec, type RawSearch } from '../lib/pages.ts'
import { isMember, isSignedIn, sessionStore } from '../lib/session.ts'
import { inTime } from '../lib/timeout.ts'
import { ADMIN_HOME, guard, LOGIN_PATH } from './guard.ts'
import { Layout } from './layout.tsx'
import { NotFoundPage } from './not-found-page.tsx'
import { pageComponents } from './page-components.ts'
import { PageError } from './page-error.tsx'
import { PagePending } from './page-pending.tsx'

/** How long a page may load before its placeholder is shown. Specification section 9. */
const ASYNC_PAGE_DELAY_MS = 200

const root = createRootRoute({
  component: Layout,
  notFoundComponent: NotFoundPage,
  beforeLoad: async ({ location }) => {
    const decision = guard(location.pathname, isSignedIn(), isMember())
    if (decision === 'login') throw redirect({ to: LOGIN_PATH, replace: true })
    if (decision === 'home') throw redirect({ to: '/', replace: true })
    if (decision === 'admin') throw redirect({ to: ADMIN_HOME, replace: true })
    if (location.pathname !== LOGIN_PATH) await needAllTexts()
  },
})

const children = Object.entries(pageComponents).map(([path, load]) => {
  const spec = pageSpec(path as PagePath)
  const search = spec?.search
  return createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(() => inTime(load())),
    ...(spec?.admin && { beforeLoad: requireAdmin }),
    ...(search !== undefined && {
      validateSearch: (raw: Record<string, unknown>) => search(raw as RawSearch),
    }),
  })
})

/** To whoever is no admin, the pages of the operator's side do not exist. */
async function requireAdmin() {
  const { isAdmin } = await inTime(import('../features/admin/is-admin.ts'))
  if (!(await isAdmin())) throw notFound()
}

/** The router over the table of pages. Query strings are plain text: an id of 19 digits must not become a number. */
export const router = createRouter({
  routeTree: root.addChildren(children),
  history,
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined)
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return text === '' ? '' : `?${text}`
  },
  defaultErrorComponent: PageError,
  defaultPendingComponent: PagePending,
  defaultPendingMs: ASYNC_PAGE_DELAY_MS,
  defaultPendingMinMs: 0,
  scrollRestoration: true,
})

// Signing in and out, here or in another tab, moves the member to where the guard wants them.
let signedIn = isSignedIn()
sessionStore.subscribe(() => {
  if (signedIn === isSignedIn()) return
  signedIn = isSignedIn()
  void router.invalidate()
})
