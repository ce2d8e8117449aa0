/** Events after which the system may take the picture of the app switcher. */
const isStandalone = () =>
  matchMedia('(display-mode: standalone) and (pointer: coarse)').matches ||
  (navigator as { standalone?: boolean }).standalone === true

/**
 * Covers the page with a blank layer while it is not in front. Calls `onReturn` before the cover is removed;
 * where that returns false, the cover stays. Returns a function that covers the page permanently.
 */
export function createCover(onReturn: () => boolean, signal: AbortSignal): () => void {
  const cover = document.createElement('div')
  cover.className = 'hero-field fixed inset-0 z-[1000]'
  cover.dataset.cover = ''
  const lay = () => document.body.append(cover)
  const lift = () => {
    if (!document.hidden && onReturn()) cover.remove()
  }
  const options = { signal }
  document.addEventListener('visibilitychange', () => (document.hidden ? lay() : lift()), options)
  window.addEventListener('pagehide', lay, options)
  window.addEventListener('pageshow', lift, options)
  // On a desktop, a wallet's window takes the focus while the page must stay readable beside it; a phone
  // shows one app at a time.
  window.addEventListener('blur', () => isStandalone() && lay(), options)
  window.addEventListener('focus', lift, options)
  signal.addEventListener('abort', () => cover.remove())
  return lay
}
