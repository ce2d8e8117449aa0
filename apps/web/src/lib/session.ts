import type { PlacementSide } from '@rif/api-schema'
import { createStore, useStore } from 'zustand'
import { shortAddress } from './format.ts'
import { holdToken, kept, onOtherTab, perTab, readToken, SESSION_KEYS } from './storage.ts'

/**
 * The session and its wallet. Specification sections 3 and 4: the token is in local storage under `token`,
 * the wallet's state in session storage. The token is bound to one address, so that address and the identity
 * of the wallet are stored with it. A second tab, whose session storage is empty, is therefore also signed
 * in.
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
  /** The address to which the token is bound. */
  tokenAddress: string
  /** True when the token's wallet belongs to a member; that of an admin need not. */
  member: boolean
  /** Which wallet was connected: its EIP-6963 `rdns`, `injected` or `demo`. */
  walletId: string
  wallet: WalletState | null
}

/** The invitation of a link, kept until it is used: its code and the side of the tree. */
export interface InviteNode {
  code: string
  side: PlacementSide
}

/** A session that ended on an open page: the page and the address. */
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

// Signing out in one tab signs out all of them. A tab that sets the lock seals the token; the others then
// hold theirs in memory.
for (const key of [SESSION_KEYS.token, SESSION_KEYS.sealed]) {
  onOtherTab(key, () =>
    takeToken(kept.get(SESSION_KEYS.sealed) === null ? null : sessionStore.getState().token),
  )
}

/** Holds a token in the memory of this page; null uses the stored one. */
export function takeToken(token: string | null) {
  holdToken(token === '' ? null : token)
  sessionStore.setState(read())
}

export const isSignedIn = () => sessionStore.getState().token !== ''
export const isMember = () => sessionStore.getState().member
export const useSession = () => useStore(sessionStore)

/** Returns the session that ended on an open page of this tab, until the next sign-in; null without one. */
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

/** Returns, only once, the page on which the session of this member had ended; null for another member. */
export function takeReturnPath(): string | null {
  const ended = endedSession()
  perTab.set(ENDED_KEY, null)
  return ended?.address === sessionStore.getState().tokenAddress ? ended.path : null
}

/**
 * Stores the token of `POST auth` for an address, and whether the address belongs to a member. With the lock
 * on, the token is held in memory, and the lock stores it sealed (features/auth/lock/watch.ts).
 */
export function saveToken(token: string, address: string, member = true) {
  const isLocking = kept.get(SESSION_KEYS.lock) !== null
  holdToken(isLocking ? token : null)
  kept.set(SESSION_KEYS.noMember, member ? null : 'true')
  kept.set(SESSION_KEYS.token, isLocking ? null : token)
  kept.set(SESSION_KEYS.tokenAddress, address)
  sessionStore.setState({ token, tokenAddress: address, member })
}

/** Deletes the token after a 401, and stores the page `path`; the wallet stays connected. */
export function endSession(path: string) {
  perTab.set(ENDED_KEY, JSON.stringify({ path, address: sessionStore.getState().tokenAddress }))
  clearToken()
}

/** Deletes the token; the wallet stays connected. */
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
 * Deletes everything: address, balance, connected flag, invite node and token (specification, section 4), and
 * the member's typed input. The member's cached data is deleted with the token (main.tsx).
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

/** Stores an invitation until it is used; null deletes it. */
export function saveInvite(invite: InviteNode | null) {
  kept.set(SESSION_KEYS.invite, invite === null ? null : JSON.stringify(invite))
}

/** Returns the invitation of an earlier visit of an invitation link, or null. */
export function readInvite(): InviteNode | null {
  try {
    const value = JSON.parse(kept.get(SESSION_KEYS.invite) ?? 'null')
    if (typeof value?.code !== 'string') return null
    return { code: value.code, side: value.side === 'left' || value.side === 'right' ? value.side : 'auto' }
  } catch {
    return null
  }
}
