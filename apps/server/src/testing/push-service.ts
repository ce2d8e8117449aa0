import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A message as received by the browser. */
export interface Pushed {
  readonly content: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
}

/**
 * Starts a push service on this machine. It refuses messages without a valid signature (RFC 8292), and
 * decrypts the others (RFC 8291).
 */
export async function startPushService(vapidPublicKey: string) {
  const pushed: Pushed[] = []
  const problems: string[] = []
  let status = 201
  const browser = createECDH('prime256v1')
  browser.generateKeys()
  const auth = randomBytes(16)
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      try {
        requireSigned(request.headers, origin(), vapidPublicKey)
        const text = decrypt(Buffer.concat(chunks), browser, auth)
        pushed.push({ content: JSON.parse(text), headers: request.headers })
        reply.writeHead(status).end()
      } catch (error) {
        problems.push(String(error))
        reply.writeHead(403).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const origin = () => `http://${host}`
  return {
    pushed,
    problems,
    host,
    /** Returns the registration of a browser, in the form of `PushSubscription.toJSON`. */
    registration: (name = 'a') => ({
      endpoint: `${origin()}/push/${name}`,
      keys: { p256dh: browser.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    }),
    /** Sets the response to the next messages. */
    answer(next: number): void {
      status = next
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Throws unless the token is signed by the key, for this service, and ends within a day (RFC 8292). */
function requireSigned(headers: IncomingMessage['headers'], origin: string, publicKey: string): void {
  const match = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(headers.authorization ?? '')
  if (match === null) throw new Error('no VAPID signature')
  const [, head, body, signature, key] = match as unknown as [string, string, string, string, string]
  if (key !== publicKey) throw new Error('another key')
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${body}`), verifier, Buffer.from(signature, 'base64url')))
    throw new Error('a wrong signature')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  const seconds = Date.now() / 1_000
  if (claims.aud !== origin) throw new Error(`for ${String(claims.aud)}`)
  if (typeof claims.exp !== 'number' || claims.exp < seconds || claims.exp > seconds + 86_400)
    throw new Error('not within a day')
  if (claims.sub !== 'mailto:operator@rif.test') throw new Error('no operator')
  if (headers['content-encoding'] !== 'aes128gcm' || headers.ttl === undefined) throw new Error('no form')
}

/** Decrypts one record of the content coding aes128gcm (RFC 8188) with the keys of RFC 8291. */
function decrypt(body: Buffer, browser: ReturnType<typeof createECDH>, auth: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body.readUInt8(20)
  const serverKey = body.subarray(21, 21 + keyLength)
  const sealed = body.subarray(21 + keyLength)
  const secret = browser.computeSecret(serverKey)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), serverKey])
  const ikm = Buffer.from(hkdfSync('sha256', secret, auth, info, 32))
  const derived = (use: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', ikm, salt, Buffer.from(`Content-Encoding: ${use}\0`), bytes))
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  // The last record ends with 2 and padding of zeros.
  const end = plain.lastIndexOf(2)
  return plain.subarray(0, end).toString('utf8')
}
