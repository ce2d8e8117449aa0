/** Browser storage that may be blocked or full: reading then gives null, and writing is only lost, never an exception. */
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

/** Kept over visits. */
export const kept = safe(() => localStorage)
/** Kept as long as the tab. */
export const perTab = safe(() => sessionStorage)

/** Calls back when another tab of the app changed a kept value, or removed all of them. */
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
}
