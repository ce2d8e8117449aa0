import { clearSession, holdToken, kept, readToken, SESSION_KEYS, takeToken } from '../../../lib/index.ts'
import { openBox, openToken, type SealedKey, sealKey, sealToken } from './lock-crypto.ts'
import { createPasskey, keyOfPasskey } from './passkey.ts'
import { keyOfPin, PIN_ITERATIONS } from './pin.ts'

interface LockBase {
  readonly version: 1
  /** The member's address. Another member who signs in here is not locked out by it. */
  readonly address: string
  /** The time without use after which the app locks, in milliseconds. */
  readonly afterMs: number
  /** Base64. */
  readonly salt: string
  readonly key: SealedKey
}

/** The lock of the app in this browser, as it is kept in local storage under `app_lock`. */
export type AppLock = LockBase &
  (
    | { readonly kind: 'pin'; readonly iterations: number }
    | { readonly kind: 'passkey'; readonly credentialId: string }
  )

/** The times to choose from, in minutes. */
export const LOCK_MINUTES = [1, 5, 15, 60] as const
export const MINUTE_MS = 60_000
/** Wrong PINs after which the session is removed from this browser. */
export const PIN_TRIES = 5

/** Returns the lock, or null without one. */
export function readLock(): AppLock | null {
  try {
    const lock: Partial<AppLock> | null = JSON.parse(kept.get(SESSION_KEYS.lock) ?? 'null')
    return lock?.version === 1 && lock.key !== undefined ? (lock as AppLock) : null
  } catch {
    return null
  }
}

/** Puts the lock on with a PIN. Throws where the browser has no storage or no cryptography. */
export async function lockWithPin(pin: string, afterMs: number, iterations = PIN_ITERATIONS): Promise<void> {
  const salt = randomText()
  const box = await keyOfPin(pin, salt, iterations)
  await putOn({
    version: 1,
    kind: 'pin',
    address: address(),
    afterMs,
    salt,
    iterations,
    key: await sealKey(box),
  })
}

/** Puts the lock on with a new passkey of this device. Throws what `createPasskey` throws. */
export async function lockWithPasskey(afterMs: number): Promise<void> {
  const salt = randomText()
  const { credentialId, box } = await createPasskey(address(), salt)
  const key = await sealKey(box)
  await putOn({ version: 1, kind: 'passkey', address: address(), afterMs, salt, credentialId, key })
}

const address = () => kept.get(SESSION_KEYS.tokenAddress) ?? ''

const randomText = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))

/** Written in this order, so that a browser that is closed in between has a session that is open or sealed, never none. */
async function putOn(lock: AppLock): Promise<void> {
  const text = JSON.stringify(lock)
  kept.set(SESSION_KEYS.lock, text)
  if (kept.get(SESSION_KEYS.lock) !== text) throw new Error('the browser keeps nothing')
  kept.set(SESSION_KEYS.tries, null)
  await keepSealed(lock, readToken() ?? '')
}

/** Keeps a token sealed, and removes the plain one. Needs no PIN and no passkey. */
export async function keepSealed(lock: AppLock, token: string): Promise<void> {
  kept.set(SESSION_KEYS.sealed, await sealToken(lock.key, token))
  holdToken(token)
  kept.set(SESSION_KEYS.token, null)
}

/** Changes the time after which the app locks. */
export function setLockTime(lock: AppLock, afterMs: number): AppLock {
  const changed = { ...lock, afterMs }
  kept.set(SESSION_KEYS.lock, JSON.stringify(changed))
  return changed
}

/** Takes the lock off: the token is kept as it is again, until the member signs out. */
export function takeLockOff(): void {
  // First, so that no other tab finds neither of the two.
  kept.set(SESSION_KEYS.token, readToken())
  for (const key of ['sealed', 'lock', 'tries'] as const) kept.set(SESSION_KEYS[key], null)
  takeToken(null)
}

export type Opened = { ok: true; token: string } | { ok: false; triesLeft: number }

/**
 * Checks a PIN, one at a time in all tabs. Each try is counted before it is checked, so that closing the app in between saves none. The
 * fifth wrong one removes the session and the lock; signing in with the wallet is then the way back.
 */
export function openWithPin(lock: AppLock & { kind: 'pin' }, pin: string): Promise<Opened> {
  return navigator.locks.request(SESSION_KEYS.lock, async () => {
    const tries = (Number(kept.get(SESSION_KEYS.tries)) || 0) + 1
    kept.set(SESSION_KEYS.tries, `${tries}`)
    const token =
      tries > PIN_TRIES ? null : await tryToken(lock, await keyOfPin(pin, lock.salt, lock.iterations))
    if (token !== null) {
      kept.set(SESSION_KEYS.tries, null)
      return { ok: true, token }
    }
    if (tries >= PIN_TRIES) clearSession()
    return { ok: false, triesLeft: Math.max(0, PIN_TRIES - tries) }
  })
}

/** Opens the session with the passkey. Throws what the browser throws when the member refuses, or when the passkey does not fit. */
export async function openWithPasskey(lock: AppLock & { kind: 'passkey' }): Promise<string> {
  const token = await tryToken(lock, await keyOfPasskey(lock.credentialId, lock.salt))
  if (token === null) throw new Error('the passkey does not open this session')
  return token
}

async function tryToken(lock: AppLock, box: CryptoKey): Promise<string | null> {
  const sealed = kept.get(SESSION_KEYS.sealed)
  const privateKey = await openBox(lock.key, box)
  return privateKey === null || sealed === null ? null : openToken(privateKey, sealed)
}
