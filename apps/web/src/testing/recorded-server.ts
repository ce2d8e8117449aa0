import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, vi } from 'vitest'

/** A request that arrived: its path, of the API without its prefix, and its body. */
export interface Arrived {
  readonly path: string
  readonly body: unknown
}

/**
 * The answers by method and path, such as `GET withdraw/7` of the API. An array is used up; its last one stays. A text is sent as it
 * is, anything else in the envelope of the API.
 */
export type Recorded = Record<string, unknown>

const PREFIX = '/api/v1/'

/** An answer that refuses, in the envelope of the API. */
export class Refused {
  readonly status: number
  readonly error: string

  constructor(status: number, error: string) {
    this.status = status
    this.error = error
  }
}

/**
 * Runs a small HTTP server with recorded answers for the tests of a file, and sends the relative addresses of the page there, as a
 * browser does. Without an answer it responds with 404. Returns the answers, which a test sets, and the requests that arrived.
 */
export function recordedServer() {
  const server = { recorded: {} as Recorded, arrived: [] as Arrived[] }
  const http = createServer(async (request, response) => {
    const [whole = ''] = request.url!.split('?')
    const path = whole.startsWith(PREFIX) ? whole.slice(PREFIX.length) : whole
    server.arrived.push({ path, body: await bodyOf(request) })
    const answers = server.recorded[`${request.method} ${path}`]
    const answer = Array.isArray(answers) ? (answers.length > 1 ? answers.shift() : answers[0]) : answers
    response.setHeader('content-type', 'application/json')
    if (typeof answer === 'string') {
      response.end(answer)
    } else if (answer === undefined || answer instanceof Refused) {
      const { status, error } = answer ?? new Refused(404, 'NOT_FOUND')
      response.statusCode = status
      response.end(JSON.stringify({ code: status, msg: error, data: { error, details: {} } }))
    } else {
      response.end(JSON.stringify({ code: 200, msg: 'OK', data: answer }))
    }
  })
  const listening = new Promise<string>((resolve) => {
    http.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(http.address() as AddressInfo).port}`))
  })
  beforeEach(async () => {
    server.recorded = {}
    server.arrived = []
    const origin = await listening
    const whole = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) => whole(new URL(String(url), origin), init))
  })
  afterAll(() => {
    http.closeAllConnections()
    http.close()
  })
  return server
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? null : JSON.parse(text)
}
