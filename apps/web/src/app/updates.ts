import { createStore } from '../lib/store.ts'

/** Whether a newer version of the app is ready; a reload brings it. Nothing reloads by itself. */
export const updateStore = createStore(false)

/** How long after the first screen the service worker is set up: the member's own requests come first. */
const SETTLE_MS = 3000
const LOOK_AGAIN_MS = 60 * 60_000

/** Sets up the service worker that keeps the app's shell, and notices a newer version. Without one the app works all the same. */
export function startServiceWorker() {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  setTimeout(() => void register().catch(() => undefined), SETTLE_MS)
}

async function register() {
  const registration = await navigator.serviceWorker.register('/service-worker.js')
  const onFound = () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      // The first one ever is no update.
      if (worker.state === 'installed' && navigator.serviceWorker.controller !== null) updateStore.set(true)
    })
  }
  registration.addEventListener('updatefound', onFound)
  if (registration.waiting !== null) updateStore.set(true)
  setInterval(() => void registration.update().catch(() => undefined), LOOK_AGAIN_MS)
}
