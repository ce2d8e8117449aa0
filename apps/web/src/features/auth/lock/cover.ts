/** Events after which the system may take the picture of the app switcher. */
const isStandalone = () =>
  matchMedia('(display-mode: standalone) and (pointer: coarse)').matches ||
  (navigator as { standalone?: boolean }).standalone === true

/**
 * Lays a blank cover over the page while it is not in front. Calls `onReturn` before it is taken away; where that returns false, it
 * stays. Returns the function that lays it for good.
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
  // A wallet's window on a desktop takes the focus while the page must be read beside it; a phone's screen shows one app.
  window.addEventListener('blur', () => isStandalone() && lay(), options)
  window.addEventListener('focus', lift, options)
  signal.addEventListener('abort', () => cover.remove())
  return lay
}
