import { type FirstRead, type PagePath, pageSpec } from '../lib/pages.ts'
import { SESSION_KEYS } from '../lib/session-keys.ts'
import { kept } from '../lib/storage.ts'
import { guard, LOGIN_PATH } from './guard.ts'

const isSignedIn = kept.get(SESSION_KEYS.token) !== null
const { pathname } = window.location
const decision = guard(pathname, isSignedIn)

/** The page that the visit begins with; an address that is none of a page is given as it is. */
export const firstPath = (
  decision === 'login' ? LOGIN_PATH : decision === 'home' ? '/' : pathname
) as PagePath

/** What that page asks the API for at once. */
export const firstReads: readonly FirstRead[] = ((isSignedIn && pageSpec(firstPath)?.reads) || []).map(
  (read) => (typeof read === 'string' ? [read, {}] : read),
)
