import { kept } from './storage.ts'

const KEY = 'font'
const NAME = 'inter'
/** A phone that is never idle loads it after this long all the same. */
const PATIENCE_MS = 3_000

/**
 * Sets the own typeface, once the first page has been drawn and the phone is idle. Later visits have its file and use it from
 * the first paint (public/theme.js).
 */
export function setOwnTypeface(): void {
  if (document.documentElement.dataset.font === NAME) return
  const set = () => {
    document.documentElement.dataset.font = NAME
    kept.set(KEY, NAME)
  }
  // Safari has no idle callbacks.
  if ('requestIdleCallback' in window) requestIdleCallback(set, { timeout: PATIENCE_MS })
  else setTimeout(set, PATIENCE_MS)
}
