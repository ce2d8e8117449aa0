import { createECDH } from 'node:crypto'
import type { Outgoing } from '../../../lib/outgoing.ts'

/** The identity of the server at push services (RFC 8292). */
export interface PushSettings {
  /** P-256, 32 bytes in base64url. */
  readonly privateKey: string
  /** The address at which a push service reaches the operator: `mailto:` or `https:`. */
  readonly subject: string
}

export interface PushMessage {
  readonly endpoint: string
  readonly p256dh: Buffer
  readonly auth: Buffer
  /** The service replaces a waiting message with the same topic (RFC 8030, 5.4): at most 32 characters. */
  readonly topic: string
  readonly isUrgent: boolean
  readonly content: {
    readonly title: string
    readonly body: string
    readonly path: string
    readonly tag: string
    readonly lang: string
  }
}

/**
 * The outcome of a message: accepted, the browser is no longer registered, refused for ever, or to be
 * retried.
 */
export type PushOutcome = 'taken' | 'gone' | 'refused' | 'later'

export type Pusher = ReturnType<typeof createPusher>

/** The age at which a message is useless. */
const TTL_SECONDS = 3 * 86_400

/**
 * Creates the sender of pushes: signed (RFC 8292), encrypted for the browser (RFC 8291), to public addresses
 * only.
 */
export function createPusher({ privateKey, subject }: PushSettings, outgoing: Pick<Outgoing, 'send'>) {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(Buffer.from(privateKey, 'base64url'))
  const publicKey = pair.getPublicKey().toString('base64url')
  const vapidDetails = { subject, publicKey, privateKey }

  return {
    publicKey,

    /**
     * Sends a message. Throws OutgoingRefused for an internal address, and other errors if the service does
     * not answer.
     */
    async send({ endpoint, p256dh, auth, topic, isUrgent, content }: PushMessage): Promise<PushOutcome> {
      const { default: webPush } = await import('web-push')
      const subscription = {
        endpoint,
        keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
      }
      const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(content), {
        vapidDetails,
        topic,
        TTL: TTL_SECONDS,
        urgency: isUrgent ? 'high' : 'normal',
      })
      const { status } = await outgoing.send({
        url: endpoint,
        method: 'POST',
        body: body as Buffer,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`])),
      })
      if (status >= 200 && status < 300) return 'taken'
      if (status === 404 || status === 410) return 'gone'
      return status === 408 || status === 429 || status >= 500 ? 'later' : 'refused'
    },
  }
}
