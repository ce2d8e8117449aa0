import { createHash, timingSafeEqual } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { StartError } from '../lib/start-error.ts'
import { answerText, MAX_REQUEST_BYTES, REQUESTS, type SignerPlace, type SignRequest } from './protocol.ts'
import { type LocalSigner, RefusedRequest, Unable } from './signer.ts'

const REQUEST_TIMEOUT_MS = 5_000
const MAX_CONNECTIONS = 64
/** The longest path of a socket on Linux and macOS. */
const MAX_SOCKET_PATH = 103
const OWNER_ONLY = 0o177

/** Serves a signer on a Unix socket that only this user can open, or on a port with a shared secret. Throws StartError. */
export async function serveSigner(
  signer: Pick<LocalSigner, 'sign' | 'status'>,
  place: SignerPlace,
): Promise<{ close(): Promise<void> }> {
  const secret = 'secret' in place ? place.secret : undefined
  const server = createServer((request, response) => {
    answer(signer, secret, request).then(
      ({ status, body }) => send(response, status, body),
      () => response.destroy(),
    )
  })
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.headersTimeout = REQUEST_TIMEOUT_MS
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, place)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

async function listen(server: ReturnType<typeof createServer>, place: SignerPlace): Promise<void> {
  const isSocket = 'socketPath' in place
  if (isSocket && Buffer.byteLength(place.socketPath) > MAX_SOCKET_PATH)
    throw new StartError(`the path of the signer's socket is too long (SIGNER_URL): ${place.socketPath}`)
  // Left by a killed signer; a running one holds the log.
  if (isSocket) await rm(place.socketPath, { force: true })
  const before = process.umask(OWNER_ONLY)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        reject(new StartError(`the signer cannot listen: ${error.code} (SIGNER_URL)`)),
      )
      if (isSocket) server.listen(place.socketPath, resolve)
      else server.listen(place.port, place.host, resolve)
    })
  } finally {
    process.umask(before)
  }
}

async function answer(
  signer: Pick<LocalSigner, 'sign' | 'status'>,
  secret: string | undefined,
  request: IncomingMessage,
): Promise<{ status: number; body: object }> {
  if (secret !== undefined && !isSame(request.headers.authorization ?? '', `Bearer ${secret}`))
    return { status: 401, body: { error: 'unauthorised' } }
  if (request.method === 'GET' && request.url === '/status')
    return { status: 200, body: await signer.status() }
  const signRequest = request.method === 'POST' ? await readRequest(request) : undefined
  if (signRequest === undefined) return { status: 400, body: { error: 'bad request' } }
  try {
    return { status: 200, body: await signer.sign(signRequest) }
  } catch (error) {
    if (error instanceof RefusedRequest) return { status: 409, body: { refused: error.reason } }
    if (error instanceof Unable) return { status: 503, body: { trouble: error.trouble } }
    throw error
  }
}

/** Parses a request for a signature; undefined for anything else. */
async function readRequest(request: IncomingMessage): Promise<SignRequest | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_REQUEST_BYTES) return undefined
    chunks.push(chunk)
  }
  let body: unknown
  try {
    body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return undefined
  }
  if (request.url === '/claim') {
    const { success, data } = REQUESTS['/claim'].safeParse(body)
    return success ? { kind: 'claim', ...data } : undefined
  }
  if (request.url === '/quote') {
    const { success, data } = REQUESTS['/quote'].safeParse(body)
    return success ? { kind: 'quote', ...data } : undefined
  }
  if (request.url === '/publication') {
    const { success, data } = REQUESTS['/publication'].safeParse(body)
    return success ? { kind: 'publication', member: 0n, ...data } : undefined
  }
  return undefined
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = answerText(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
}

function isSame(actual: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(actual), digest(expected))
}
