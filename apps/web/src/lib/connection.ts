import { useSyncExternalStore } from 'react'
import { createStore, useStore } from 'zustand'

/** The pauses between attempts to reach the API, which double; a random part of each is used. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** The time over which reads resume after a limit. */
const LIMIT_SPREAD_MS = 1_000

/** True while the API cannot be reached. Reads then wait, and one of them at a time retries. */
export const lostStore = createStore(() => false)
export const useConnectionLost = () => useStore(lostStore)

export const isConnectionLost = () => lostStore.getState()

function onDevice(listener: () => void) {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/** Returns what is missing: the device's connection, or the server; null if the API can be reached. */
export function useOutage(): 'device' | 'server' | null {
  const isOnline = useSyncExternalStore(onDevice, () => navigator.onLine)
  const isLost = useConnectionLost()
  return isOnline ? (isLost ? 'server' : null) : 'device'
}

/** Resolves when the connection is lost. */
export const whenLost = () =>
  new Promise<void>((resolve) => {
    const stop = lostStore.subscribe((isLost) => {
      if (!isLost) return
      stop()
      resolve()
    })
  })

/** The time (ms since 1970) from which the server accepts requests again; 0 if it accepts them. */
const limitedStore = createStore(() => 0)
export const useLimitedUntil = () => useStore(limitedStore)

let limitTimer: ReturnType<typeof setTimeout> | undefined

/**
 * Waits until the server accepts requests again, with a small random offset between waiting calls. Throws
 * when aborted.
 */
async function waitForLimit(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const until = Date.now() + ms
  if (until > limitedStore.getState()) {
    limitedStore.setState(until, true)
    clearTimeout(limitTimer)
    limitTimer = setTimeout(() => limitedStore.setState(0, true), ms)
  }
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms + Math.random() * LIMIT_SPREAD_MS)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  signal?.throwIfAborted()
}

/** The waiting reads, those of the last opened page at the end. */
const waiting = new Set<() => void>()
let pauseMs = 0
let timer: ReturnType<typeof setTimeout> | undefined
let timesReached = 0

function tryNext() {
  clearTimeout(timer)
  timer = undefined
  // A hidden page retries when it is shown.
  if (document.visibilityState === 'hidden') return
  const last = [...waiting].at(-1)
  if (last === undefined) lostStore.setState(false, true)
  else last()
}

/** Retries at once: the device reports a connection, or the page is shown again. */
function tryNow() {
  pauseMs = 0
  if (lostStore.getState()) tryNext()
}
window.addEventListener('online', tryNow)
document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && tryNow())

/** Schedules the next attempt, after a growing pause and not before `retryAfterMs`. */
function markLost(retryAfterMs: number) {
  lostStore.setState(true, true)
  if (timer !== undefined) return
  pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs === 0 ? FIRST_PAUSE_MS : pauseMs * 2)
  timer = setTimeout(tryNext, Math.max(retryAfterMs, pauseMs * (0.5 + Math.random() / 2)))
}

/** Ends the wait after a response of the API. */
function markReached() {
  timesReached++
  pauseMs = 0
  clearTimeout(timer)
  timer = undefined
  lostStore.setState(false, true)
  for (const go of [...waiting]) go()
}

/** Resolves when the caller may retry, or at once when aborted. */
function myTurn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      waiting.delete(go)
      signal?.removeEventListener('abort', go)
      resolve()
    }
    waiting.add(go)
    signal?.addEventListener('abort', go)
    if (signal?.aborted) go()
  })
}

/** The number of failures of one read, while others succeed, after which it fails. */
const MAX_ALONE = 2

/**
 * The wait that the server demands, and its cause: the server is unreachable or received too many requests.
 */
export interface Pause {
  readonly ms: number
  readonly reason: 'unreachable' | 'limited'
}

/**
 * Reads from the API, and retries with growing pauses while it cannot be reached. While the connection is
 * lost, one read at a time retries, and the first response lets all others continue. After too many requests,
 * each refused read waits as long as the server demands. `pauseAfter` returns null for an error that is a
 * response. Throws that error, and the error of a read that fails while others succeed.
 */
export async function readPatiently<T>(
  read: () => Promise<T>,
  pauseAfter: (error: unknown) => Pause | null,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (lostStore.getState()) await myTurn(signal)
  let alone = 0
  let reachedBefore = timesReached
  for (;;) {
    try {
      const answer = await read()
      markReached()
      return answer
    } catch (error) {
      const pause = pauseAfter(error)
      if (signal?.aborted) {
        // Another read retries instead.
        if (lostStore.getState()) markLost(0)
        throw error
      }
      if (pause === null) {
        markReached()
        throw error
      }
      if (pause.reason === 'limited') {
        markReached()
        await waitForLimit(pause.ms, signal)
        continue
      }
      if (timesReached !== reachedBefore) alone++
      reachedBefore = timesReached
      if (alone > MAX_ALONE) throw error
      markLost(pause.ms)
      await myTurn(signal)
    }
  }
}
