import type { FirstRead } from '../lib/early-reads.ts'
import { SESSION_KEYS } from '../lib/session-keys.ts'
import { kept } from '../lib/storage.ts'
import { guard, LOGIN_PATH } from './guard.ts'
import { pageSpec } from './pages.ts'

const isSignedIn = kept.get(SESSION_KEYS.token) !== null
const { pathname } = window.location
const decision = guard(pathname, isSignedIn)

/** The path that the visit begins with. */
export const firstPath = decision === 'login' ? LOGIN_PATH : decision === 'home' ? '/' : pathname
/** Its page; null for an address without one. */
export const firstPage = pageSpec(firstPath)

/** The API reads with which that page starts. */
export const firstReads: readonly FirstRead[] = ((isSignedIn && firstPage?.reads) || []).map((read) =>
  typeof read === 'string' ? [read, {}] : read,
)
