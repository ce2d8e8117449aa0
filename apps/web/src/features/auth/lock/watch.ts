import { kept, SESSION_KEYS, sessionStore, takeToken } from '../../../lib/index.ts'
import { keepSealed, readLock, takeLockOff } from './app-lock.ts'
import { createCover } from './cover.ts'
import { isOver, now } from './idle.ts'
import { openChannel } from './lock-channel.ts'

const LOOK_EVERY_MS = 1_000
/** Events of use within this interval count as one. */
const USE_EVERY_MS = 500
/** The minimum interval between messages of use to the other tabs. */
const TELL_EVERY_MS = 5_000
const USES = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

let lockPage: (() => void) | null = null

/** Locks the app in all tabs at once. */
export function lockNow() {
  followActivity()
  lockPage?.()
}

/**
 * Tracks the use of the app while it has a lock, and locks it after the chosen time: the page is reloaded, so
 * that no member data remains in memory, and starts with the lock. Safe to call again.
 */
export function followActivity() {
  if (lockPage !== null || readLock() === null) return
  const stop = new AbortController()
  let lastUse = now()
  let toldMs = 0
  let sharedToken = ''

  const leave = () => {
    layCover()
    window.location.reload()
  }
  const lockAll = () => {
    channel.send({ kind: 'lock' })
    leave()
  }
  /** Locks when the time is over. Reports whether the page is still open. */
  const look = (): boolean => {
    const lock = readLock()
    if (lock === null) {
      end()
      return true
    }
    if (sessionStore.getState().token === '' || !isOver(lastUse, now(), lock.afterMs)) return true
    lockAll()
    return false
  }
  const used = () => {
    if (now().steadyMs - lastUse.steadyMs < USE_EVERY_MS || !look()) return
    lastUse = now()
    if (lastUse.steadyMs - toldMs < TELL_EVERY_MS) return
    toldMs = lastUse.steadyMs
    channel.send({ kind: 'used' })
  }

  const channel = openChannel((message) => {
    const { token } = sessionStore.getState()
    if (message.kind === 'lock' && token !== '') leave()
    if (message.kind === 'used' && look()) lastUse = now()
    if (message.kind === 'ask' && token !== '' && look()) channel.send({ kind: 'token', token })
    if (message.kind === 'token' && message.token !== token) {
      sharedToken = message.token
      lastUse = now()
      takeToken(message.token)
    }
  })
  const layCover = createCover(look, stop.signal)
  for (const name of USES)
    window.addEventListener(name, used, { capture: true, passive: true, signal: stop.signal })
  const timer = setInterval(look, LOOK_EVERY_MS)
  const unsubscribe = sessionStore.subscribe(({ token }, before) => {
    if (token === before.token || token === '' || token === sharedToken) return
    lastUse = now()
    void sealNew(token).then((isSealed) => isSealed && channel.send({ kind: 'token', token }))
  })
  const end = () => {
    lockPage = null
    stop.abort()
    clearInterval(timer)
    unsubscribe()
    channel.close()
  }
  lockPage = lockAll

  // A browser that was closed while the lock was being set up may have kept the plain token.
  const plain = kept.get(SESSION_KEYS.token)
  if (plain !== null) void sealNew(plain)
}

/**
 * Stores the token of a new sign-in encrypted. Another member's lock is removed. Reports whether it is
 * encrypted.
 */
async function sealNew(token: string): Promise<boolean> {
  const lock = readLock()
  const isOwn = lock?.address === kept.get(SESSION_KEYS.tokenAddress)
  if (lock === null || !isOwn) takeLockOff()
  else await keepSealed(lock, token)
  return lock !== null && isOwn
}
