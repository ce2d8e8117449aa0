import type { PlacementSide } from '@rif/api-schema'
import { createStore, useStore } from 'zustand'
import { shortAddress } from './format.ts'
import { holdToken, kept, onOtherTab, perTab, readToken, SESSION_KEYS } from './storage.ts'

/**
 * The session and its wallet. Specification sections 3 and 4: the token is kept in local storage under
 * `token`, the wallet's state in session storage. The token is bound to one address, so that address and the wallet's
 * identity are kept beside it: a second tab, whose session storage is empty, is signed in all the same.
 */
export interface WalletState {
  address: string
  shortAddress: string
  /** The native balance in base units, as decimal text. */
  balance: string
  connected: boolean
}

export interface Session {
  /** Empty when signed out. */
  token: string
  /** The address the token is bound to. */
  tokenAddress: string
  /** True when the token's wallet belongs to a member; that of an admin need not. */
  member: boolean
  /** Which wallet was connected: its EIP-6963 `rdns`, `injected` or `demo`. */
  walletId: string
  wallet: WalletState | null
}

/** The invitation a link brought along, until it is used: its code and the side to stand on. */
export interface InviteNode {
  code: string
  side: PlacementSide
}

/** A session that ended on an open page: where, and whose it was. */
interface EndedSession {
  readonly path: string
  readonly address: string
}

const ENDED_KEY = 'ended_session'

/** The storage key of the drafts of forms (ui/form.tsx). */
export const DRAFTS_KEY = 'drafts'
/** The last searches of the member, in this tab. */
export const SEARCHES_KEY = 'searches'
const WALLET_KEY = 'wallet'

function readWallet(): WalletState | null {
  const text = perTab.get(WALLET_KEY)
  if (text === null) return null
  try {
    const value: Partial<WalletState> = JSON.parse(text)
    if (typeof value.address !== 'string' || value.address === '') return null
    return walletState(value.address, value.balance ?? '0', value.connected === true)
  } catch {
    return null
  }
}

function walletState(address: string, balance: string, connected: boolean): WalletState {
  return { address, shortAddress: shortAddress(address), balance, connected }
}

function read(): Session {
  return {
    token: readToken() ?? '',
    tokenAddress: kept.get(SESSION_KEYS.tokenAddress) ?? '',
    member: kept.get(SESSION_KEYS.noMember) === null,
    walletId: kept.get(SESSION_KEYS.walletId) ?? '',
    wallet: readWallet(),
  }
}

export const sessionStore = createStore<Session>(read)

// Signing out in one tab signs out all of them. A tab that puts the lock on seals the token; the others then hold theirs.
for (const key of [SESSION_KEYS.token, SESSION_KEYS.sealed]) {
  onOtherTab(key, () =>
    takeToken(kept.get(SESSION_KEYS.sealed) === null ? null : sessionStore.getState().token),
  )
}

/** Holds a token in the memory of this page, and with null uses the one that is kept. */
export function takeToken(token: string | null) {
  holdToken(token === '' ? null : token)
  sessionStore.setState(read())
}

export const isSignedIn = () => sessionStore.getState().token !== ''
export const isMember = () => sessionStore.getState().member
export const useSession = () => useStore(sessionStore)

/** Returns the session that ended on an open page of this tab, until somebody signs in; null without one. */
export function endedSession(): EndedSession | null {
  try {
    const value: Partial<EndedSession> | null = JSON.parse(perTab.get(ENDED_KEY) ?? 'null')
    return typeof value?.path === 'string' && value.path.startsWith('/') && typeof value.address === 'string'
      ? { path: value.path, address: value.address }
      : null
  } catch {
    return null
  }
}

/** Returns the page on which the session of the member who signs in now had ended, once; null for another member. */
export function takeReturnPath(): string | null {
  const ended = endedSession()
  perTab.set(ENDED_KEY, null)
  return ended?.address === sessionStore.getState().tokenAddress ? ended.path : null
}

/**
 * Stores the token that `POST auth` gave for an address, and whether that is a member's. With the lock on, it is held in
 * memory, and the lock keeps it sealed (features/auth/lock/watch.ts).
 */
export function saveToken(token: string, address: string, member = true) {
  const isLocking = kept.get(SESSION_KEYS.lock) !== null
  holdToken(isLocking ? token : null)
  kept.set(SESSION_KEYS.noMember, member ? null : 'true')
  kept.set(SESSION_KEYS.token, isLocking ? null : token)
  kept.set(SESSION_KEYS.tokenAddress, address)
  sessionStore.setState({ token, tokenAddress: address, member })
}

/** Forgets the token after a 401, and keeps the page of `path`; the wallet stays connected. */
export function endSession(path: string) {
  perTab.set(ENDED_KEY, JSON.stringify({ path, address: sessionStore.getState().tokenAddress }))
  clearToken()
}

/** Forgets the token; the wallet stays connected. */
export function clearToken() {
  holdToken(null)
  kept.set(SESSION_KEYS.token, null)
  kept.set(SESSION_KEYS.sealed, null)
  kept.set(SESSION_KEYS.tokenAddress, null)
  sessionStore.setState({ token: '', tokenAddress: '' })
}

/** Stores the connected wallet. */
export function saveWallet(walletId: string, address: string, balance: string) {
  const wallet = walletState(address, balance, true)
  kept.set(SESSION_KEYS.walletId, walletId)
  perTab.set(WALLET_KEY, JSON.stringify(wallet))
  sessionStore.setState({ walletId, wallet })
}

/**
 * Forgets all there is: address, balance, connected flag, invite node and token (specification, section 4), and with them
 * what the member typed. The member's data goes with the token (main.tsx).
 */
export function clearSession() {
  holdToken(null)
  for (const key of Object.values(SESSION_KEYS)) kept.set(key, null)
  perTab.set(WALLET_KEY, null)
  perTab.set(DRAFTS_KEY, null)
  perTab.set(SEARCHES_KEY, null)
  perTab.set(ENDED_KEY, null)
  sessionStore.setState({ token: '', tokenAddress: '', member: true, walletId: '', wallet: null })
}

/** Keeps an invitation until it is used; null forgets it. */
export function saveInvite(invite: InviteNode | null) {
  kept.set(SESSION_KEYS.invite, invite === null ? null : JSON.stringify(invite))
}

/** The invitation kept from an earlier visit of an invitation link, or null. */
export function readInvite(): InviteNode | null {
  try {
    const value = JSON.parse(kept.get(SESSION_KEYS.invite) ?? 'null')
    if (typeof value?.code !== 'string') return null
    return { code: value.code, side: value.side === 'left' || value.side === 'right' ? value.side : 'auto' }
  } catch {
    return null
  }
}
