import { createHmac, timingSafeEqual } from 'node:crypto'

/** A message and its signature, as the headers of the Standard Webhooks scheme carry them (standardwebhooks.com). */
export interface SignedWebhook {
  /** `webhook-id`: the same in every attempt to deliver the message. */
  readonly id: string
  /** `webhook-timestamp`: seconds since the epoch. */
  readonly timestamp: string
  /** `webhook-signature`: signatures separated by spaces, each `v1,` and a base64 HMAC-SHA256. */
  readonly signature: string
  /** The body exactly as sent. */
  readonly body: string
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/
const MIN_KEY_BYTES = 24
const MAX_KEY_BYTES = 64
const ID = /^[\w.-]{1,100}$/
const TIMESTAMP = /^[0-9]{1,12}$/
const MAX_SIGNATURE_CHARS = 500

/** Reports whether a text is a secret of the scheme: `whsec_` and 24 to 64 bytes in base64. */
export function isWebhookSecret(text: string): boolean {
  if (!SECRET.test(text)) return false
  const { length } = keyOf(text)
  return length >= MIN_KEY_BYTES && length <= MAX_KEY_BYTES
}

/** Returns the value of `webhook-signature` for a message. */
export function signWebhook(
  secret: string,
  { id, timestamp, body }: Omit<SignedWebhook, 'signature'>,
): string {
  return `v1,${hmac(secret, { id, timestamp, body }).toString('base64')}`
}

/** Reports whether one of the signatures of a message is that of the secret. The caller checks the timestamp. */
export function isWebhookSigned(secret: string, message: SignedWebhook): boolean {
  const { id, timestamp, signature } = message
  if (!ID.test(id) || !TIMESTAMP.test(timestamp) || signature.length > MAX_SIGNATURE_CHARS) return false
  const expected = hmac(secret, message)
  return signature.split(' ').some((item) => {
    if (!item.startsWith('v1,')) return false
    const candidate = Buffer.from(item.slice('v1,'.length), 'base64')
    return candidate.length === expected.length && timingSafeEqual(candidate, expected)
  })
}

const keyOf = (secret: string) => Buffer.from(secret.slice('whsec_'.length), 'base64')

const hmac = (secret: string, { id, timestamp, body }: Omit<SignedWebhook, 'signature'>) =>
  createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest()
