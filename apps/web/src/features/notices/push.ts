/** The reason why this browser gets no pushes, or that it can. */
export type PushSupport = 'ready' | 'denied' | 'ios' | 'unsupported'

/** The parts of a registration that the server needs (RFC 8030, RFC 8291). */
export interface Registration {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

const IOS = /iPhone|iPad/

/** Reports whether this browser can receive pushes. iOS offers them only to an app on the home screen. */
export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return IOS.test(navigator.userAgent) ? 'ios' : 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : 'ready'
}

/**
 * Asks for the permission and registers this browser with its push service. Call it on a tap. Returns null if
 * the member refuses; throws if the service cannot be reached or the app has no service worker.
 */
export async function registerPush(publicKey: string): Promise<Registration | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const worker = await navigator.serviceWorker.getRegistration()
  if (worker === undefined) throw new Error('no service worker')
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  // A registration for another key of the operator cannot be used, and prevents a new one.
  const subscribe = () => worker.pushManager.subscribe(options)
  const subscription = await subscribe().catch(async (error: unknown) => {
    const old = await worker.pushManager.getSubscription()
    if (old === null) throw error
    await old.unsubscribe()
    return subscribe()
  })
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } }
}
