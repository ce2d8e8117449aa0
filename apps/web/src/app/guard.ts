import { pageSpec } from '../lib/pages.ts'

/** Route names that need no sign-in besides the pages marked `open` in the table. Specification section 2. */
const OPEN_NAMES = ['login', 'wode', 'firstPage', 'testWallet']

const HOME_ALIASES = ['/pages/index/index']
export const LOGIN_PATH = '/pages/login/index'

export type GuardDecision = 'allow' | 'login' | 'home'

/**
 * Who may open what (specification section 2): signed out, only the open pages, anything else leads to login; signed
 * in, login leads home. An unknown path is let through to page-not-found for those signed in.
 */
export function guard(path: string, signedIn: boolean): GuardDecision {
  if (HOME_ALIASES.includes(path)) return 'home'
  if (signedIn) return path === LOGIN_PATH ? 'home' : 'allow'
  const isOpen =
    pageSpec(path)?.open === true ||
    OPEN_NAMES.some((name) => path === `/${name}` || path === `/pages/${name}/index`)
  return isOpen ? 'allow' : 'login'
}
