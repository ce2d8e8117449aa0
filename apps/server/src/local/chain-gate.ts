import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Anvil } from './anvil.ts'

/** Access to a node whose state the product saves. */
export type Gate = {
  /** Handles a JSON-RPC request, or a batch, like the node, once the changes are saved. */
  forward(body: unknown): Promise<unknown>
  /** The same over HTTP, for other processes on this machine. */
  rpcUrl: string
  close(): void
}

type Change = { body: unknown; resolve(answer: unknown): void; reject(error: unknown): void }

/** Methods that cannot change the chain. All others are treated as changes. */
const READING =
  /^(eth_(get|call|estimate|fee|gasPrice|max|chainId|blockNumber|accounts|sign)|net_|web3_|txpool_|personal_sign)/
const MAX_BODY_BYTES = 10_000_000

/**
 * Serves a node so that no client ever sees a block that a crash could lose. A request that may change the
 * chain waits for the readers to finish, and later readers wait until its result is saved by `persist`.
 * Waiting changes are saved together.
 */
export async function openGate(node: Pick<Anvil, 'forward'>, persist: () => Promise<void>): Promise<Gate> {
  const reading = new Set<Promise<unknown>>()
  let waiting: Change[] = []
  let changing: Promise<void> | undefined

  async function read(body: unknown): Promise<unknown> {
    while (changing) await changing
    const answer = node.forward(body)
    reading.add(answer)
    return answer.finally(() => reading.delete(answer))
  }

  function change(body: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      waiting.push({ body, resolve, reject })
      changing ??= changeOnce()
    })
  }

  async function changeOnce(): Promise<void> {
    await Promise.allSettled(reading)
    const changes = waiting
    waiting = []
    try {
      const answers: unknown[] = []
      for (const { body } of changes) answers.push(await node.forward(body))
      await persist()
      for (const [index, { resolve }] of changes.entries()) resolve(answers[index])
    } catch (error) {
      for (const { reject } of changes) reject(error)
    }
    changing = undefined
    // Waiting readers go first, so that neither side starves.
    setImmediate(() => {
      if (waiting.length > 0) changing ??= changeOnce()
    })
  }

  const forward = (body: unknown) => (isReading(body) ? read(body) : change(body))
  const server = await listen(forward)
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { forward, rpcUrl: `http://127.0.0.1:${port}`, close }
}

function isReading(body: unknown): boolean {
  const requests = Array.isArray(body) ? body : [body]
  return requests.every((request) => READING.test((request as { method?: string } | null)?.method ?? ''))
}

function listen(forward: Gate['forward']): Promise<Server> {
  const server = createServer(async (request, response) => {
    try {
      const answer = await forward(JSON.parse(await readBody(request)))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    } catch (error) {
      response.writeHead(502, { 'content-type': 'text/plain' }).end((error as Error).message)
    }
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(server))
  })
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += (chunk as Buffer).length
    if (length > MAX_BODY_BYTES) throw new Error('the request is too large')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
