/**
 * Browser storage that may be blocked or full. Reads then return null, and writes are lost, without an
 * exception.
 */
export interface SafeStorage {
  get(key: string): string | null
  /** Null removes the key. */
  set(key: string, value: string | null): void
}

function safe(pick: () => Storage): SafeStorage {
  return {
    get(key) {
      try {
        return pick().getItem(key)
      } catch {
        return null
      }
    },
    set(key, value) {
      try {
        if (value === null) pick().removeItem(key)
        else pick().setItem(key, value)
      } catch {
        // The state then lasts as long as the page.
      }
    },
  }
}

/** Storage that survives visits. */
export const kept = safe(() => localStorage)
/** Storage that lasts as long as the tab. */
export const perTab = safe(() => sessionStorage)

/** Calls back when another tab of the app changed a stored value, or deleted all of them. */
export function onOtherTab(key: string, changed: () => void) {
  window.addEventListener('storage', (event) => {
    if (event.key === key || event.key === null) changed()
  })
}

/** The keys of a session in local storage. Specification sections 3 and 4. */
export const SESSION_KEYS = {
  token: 'token',
  tokenAddress: 'token_address',
  walletId: 'wallet_id',
  invite: 'invite_node',
  noMember: 'no_member',
  /** The lock of the app (features/auth/lock). While it exists, the token is stored only sealed. */
  lock: 'app_lock',
  sealed: 'sealed_token',
  tries: 'lock_tries',
}

/** The token of a browser with a lock, only in the memory of this page. */
let heldToken: string | null = null

/** Holds the token in the memory of this page; null deletes it. */
export function holdToken(token: string | null) {
  heldToken = token
}

/** Returns the session's token, or null while there is none or it is locked. */
export const readToken = () => heldToken ?? kept.get(SESSION_KEYS.token)
