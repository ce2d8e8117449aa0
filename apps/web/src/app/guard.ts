import type { FirstRead } from '../lib/api-routes.ts'
import { kept, readToken, SESSION_KEYS } from '../lib/storage.ts'
import { type PageSpec, pageSpec } from './pages.ts'

/** Route names that need no sign-in besides the pages marked `open` in the table. Specification section 2. */
const OPEN_NAMES = ['login', 'wode', 'firstPage', 'testWallet']

const HOME_ALIASES = ['/pages/index/index']
export const LOGIN_PATH = '/pages/login/index'

/** The first page of the operators' side. */
export const ADMIN_HOME = '/pages/admin/home'

export type GuardDecision = 'allow' | 'login' | 'home' | 'admin'

/**
 * Decides who may open a path (specification section 2): signed out, only the open pages, all others lead to
 * login; signed in, login leads home. Signed-in visitors see page-not-found for an unknown path. An admin who
 * is not a member has the operator's pages and those without member data.
 */
export function guard(path: string, signedIn: boolean, member = signedIn): GuardDecision {
  if (signedIn && !member) return isForAdmins(path) ? 'allow' : 'admin'
  if (HOME_ALIASES.includes(path)) return 'home'
  if (signedIn) return path === LOGIN_PATH ? 'home' : 'allow'
  return isOpen(path) ? 'allow' : 'login'
}

const isOpen = (path: string) =>
  pageSpec(path)?.open === true ||
  OPEN_NAMES.some((name) => path === `/${name}` || path === `/pages/${name}/index`)

const ADMIN_TOO = ['/pages/my/selectLan/index', '/pages/my/sessions', '/pages/my/lock']

function isForAdmins(path: string): boolean {
  const spec = pageSpec(path)
  if (spec === null) return !HOME_ALIASES.includes(path)
  return spec.admin === true || ADMIN_TOO.includes(path) || (spec.open === true && path !== LOGIN_PATH)
}

/** The page that a visit begins with. */
export interface FirstVisit {
  readonly path: string
  /** Null for an address without a page. */
  readonly page: PageSpec | null
  /** The API reads with which that page starts. */
  readonly reads: readonly FirstRead[]
}

/** Returns the first page of the visit for the current session. */
export function firstVisit(): FirstVisit {
  const isSignedIn = readToken() !== null
  const { pathname } = window.location
  const isMember = isSignedIn && kept.get(SESSION_KEYS.noMember) === null
  const paths = { allow: pathname, login: LOGIN_PATH, home: '/', admin: ADMIN_HOME }
  const path = paths[guard(pathname, isSignedIn, isMember)]
  const page = pageSpec(path)
  const reads = ((isSignedIn && page?.reads) || []).map(
    (read): FirstRead => (typeof read === 'string' ? [read, {}] : read),
  )
  return { path, page, reads }
}
