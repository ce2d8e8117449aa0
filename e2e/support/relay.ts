import { createPublicKey, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'

/** A message on its way: encrypted by one side for the other. */
interface Envelope {
  readonly topic: string
  readonly message: string
  readonly publishedAt: number
  readonly tag: number
  readonly attestation?: string
}

type Params = Readonly<Record<string, unknown>>
interface Call {
  readonly id: number | string
  readonly method?: string
  readonly params?: Params
}

/** The tags of the messages that open a session, from the specification of WalletConnect's Sign API. */
const TAGS = { propose: 1100, proposeAnswer: 1101, settle: 1102 }

export interface Relay {
  /** The calls of all clients with their parameters, in order. */
  readonly calls: readonly { readonly client: string; readonly method: string; readonly params: Params }[]
  readonly close: () => Promise<void>
}

/**
 * Starts a relay of WalletConnect v2: JSON-RPC over WebSocket (`irn_*`, and the two calls that open a session), on the port of `url`.
 * A client whose token is not signed by its own key for this address is refused. A message for a topic without another subscriber waits.
 */
export async function startRelay(url: string): Promise<Relay> {
  const calls: { client: string; method: string; params: Params }[] = []
  const topics = new Map<string, Set<WebSocket>>()
  /** The clients by their connections: a client receives nothing of its own, also after it has reconnected. */
  const clients = new Map<WebSocket, string>()
  const waiting: (Envelope & { from: string })[] = []
  let lastId = 1

  function push(socket: WebSocket, data: Envelope): void {
    const id = lastId++
    const params = { id: data.topic, data }
    socket.send(JSON.stringify({ id, jsonrpc: '2.0', method: 'irn_subscription', params }))
  }
  function publish(socket: WebSocket, data: Omit<Envelope, 'publishedAt'>): boolean {
    const from = clients.get(socket)!
    const envelope = { ...data, publishedAt: Date.now() }
    const others = [...(topics.get(data.topic) ?? [])].filter((other) => clients.get(other) !== from)
    for (const other of others) push(other, envelope)
    if (others.length === 0) waiting.push({ ...envelope, from })
    return true
  }
  function subscribe(socket: WebSocket, topic: string): string {
    topics.set(topic, (topics.get(topic) ?? new Set()).add(socket))
    // After the answer to the call, which names the subscription.
    setImmediate(() => {
      for (const envelope of takeWaiting(socket, [topic])) push(socket, envelope)
    })
    return topic
  }
  function takeWaiting(socket: WebSocket, wanted: readonly string[]): Envelope[] {
    const envelopes = waiting.filter(
      ({ topic, from }) => wanted.includes(topic) && from !== clients.get(socket),
    )
    for (const envelope of envelopes) waiting.splice(waiting.indexOf(envelope), 1)
    return envelopes.map(({ from: _, ...envelope }) => envelope)
  }
  function answer(socket: WebSocket, method: string, params: Params): unknown {
    const text = (name: string) => String(params[name])
    const list = () => params.topics as string[]
    const attestation = params.attestation === undefined ? {} : { attestation: text('attestation') }
    if (method === 'irn_subscribe') return subscribe(socket, text('topic'))
    if (method === 'irn_batchSubscribe') return list().map((topic) => subscribe(socket, topic))
    if (method === 'irn_unsubscribe') return topics.get(text('topic'))?.delete(socket) ?? false
    if (method === 'irn_fetchMessages')
      return { messages: takeWaiting(socket, [text('topic')]), hasMore: false }
    if (method === 'irn_batchFetchMessages') return { messages: takeWaiting(socket, list()), hasMore: false }
    if (method === 'irn_publish')
      return publish(socket, {
        topic: text('topic'),
        message: text('message'),
        tag: Number(params.tag),
        ...attestation,
      })
    const pairing = text('pairingTopic')
    if (method === 'wc_proposeSession') {
      subscribe(socket, pairing)
      return publish(socket, {
        topic: pairing,
        message: text('sessionProposal'),
        tag: TAGS.propose,
        ...attestation,
      })
    }
    if (method === 'wc_approveSession') {
      const session = text('sessionTopic')
      subscribe(socket, session)
      publish(socket, { topic: pairing, message: text('sessionProposalResponse'), tag: TAGS.proposeAnswer })
      return publish(socket, { topic: session, message: text('sessionSettlementRequest'), tag: TAGS.settle })
    }
    throw new Error(`no method ${method}`)
  }

  const server = new WebSocketServer({
    port: Number(new URL(url).port),
    verifyClient: ({ req }: { req: IncomingMessage }) => clientOf(req, url) !== null,
  })
  server.on('connection', (socket, request) => {
    clients.set(socket, clientOf(request, url)!)
    socket.on('message', (data) => {
      const { id, method, params = {} } = JSON.parse(String(data)) as Call
      // Clients acknowledge what is pushed to them.
      if (method === undefined) return
      calls.push({ client: clients.get(socket)!, method, params })
      socket.send(JSON.stringify({ id, jsonrpc: '2.0', result: answer(socket, method, params) }))
    })
    socket.on('close', () => {
      for (const sockets of topics.values()) sockets.delete(socket)
    })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    calls,
    async close() {
      for (const client of server.clients) client.terminate()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The prefix of an Ed25519 key as DER (RFC 8410), before its 32 bytes. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

/** Returns the client that a token names: a JWT for this relay, signed by the key that it names as `did:key`. Null for anything else. */
function clientOf(request: IncomingMessage, relayUrl: string): string | null {
  const { searchParams } = new URL(request.url ?? '', relayUrl)
  const [header = '', payload = '', signature = ''] = (searchParams.get('auth') ?? '').split('.')
  if (signature === '' || searchParams.get('projectId') === null) return null
  const { iss, aud, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const key = Buffer.concat([ED25519_PREFIX, fromBase58(iss.slice('did:key:z'.length)).subarray(2)])
  const publicKey = createPublicKey({ key, format: 'der', type: 'spki' })
  const signed = Buffer.from(`${header}.${payload}`)
  const isRight = verify(null, signed, publicKey, Buffer.from(signature, 'base64url'))
  return isRight && aud === relayUrl && exp * 1_000 > Date.now() ? iss : null
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function fromBase58(text: string): Buffer {
  const value = [...text].reduce((sum, letter) => sum * 58n + BigInt(BASE58.indexOf(letter)), 0n)
  const hex = value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}
