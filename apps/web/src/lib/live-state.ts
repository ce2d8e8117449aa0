import { createStore } from 'zustand'

/** True while the stream of changes is open: what a page waits for is then told. */
export const liveStore = createStore(() => false)

/** A page looks as often all the same, because a notification can be lost. */
const SAFETY_MS = 60_000

/** Returns the time after which a page looks again that would look every `everyMs` without the stream. */
export const lookEvery = (everyMs: number): number =>
  liveStore.getState() ? Math.max(everyMs, SAFETY_MS) : everyMs
