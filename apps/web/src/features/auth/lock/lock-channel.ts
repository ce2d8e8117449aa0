/** The messages between the tabs of this browser about the lock. */
export type LockMessage =
  /** A new tab requests the token from an open one. */
  | { kind: 'ask' }
  | { kind: 'token'; token: string }
  /** The member uses the app. */
  | { kind: 'used' }
  | { kind: 'lock' }

/** Opens the channel between the tabs. Only pages of the same origin can read it. */
export function openChannel(receive: (message: LockMessage) => void) {
  const channel = new BroadcastChannel('app_lock')
  channel.onmessage = ({ data }: MessageEvent<LockMessage>) => receive(data)
  return {
    send: (message: LockMessage) => channel.postMessage(message),
    close: () => channel.close(),
  }
}
