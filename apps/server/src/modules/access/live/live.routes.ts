import type { OutgoingHttpHeaders } from 'node:http'
import { API_PREFIX, changesData, failure, PAGE_AGE_HEADER, routes } from '@rif/api-schema'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { sourceOf } from '../../../plugins/rate-limits.ts'
import type { Live } from './live.service.ts'

const { path, method, access, summary } = routes.changes

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Makes nginx pass on every event at once.
  'x-accel-buffering': 'no',
}

/**
 * Registers `changes`, the stream of one tab. It announces what to read again; the data comes from the usual
 * calls. Without `live` the process receives no changes, and refuses with UNAVAILABLE. Throws UNAVAILABLE and
 * RATE_LIMITED above the limits of streams.
 */
export function liveRoutes(app: FastifyInstance, live: Live | undefined): void {
  app.addHook('preClose', async () => live?.endAll())
  app.route({
    method,
    url: API_PREFIX + path,
    config: { routeName: 'changes', access, isStream: true },
    schema: {
      operationId: 'changes',
      summary,
      tags: [path],
      security: [{ token: [], wallet: [] }],
      response: {
        200: {
          description: 'Server-sent events without a name; the data of each is JSON of this form',
          content: { 'text/event-stream': { schema: changesData } },
        },
        '4xx': failure,
        '5xx': failure,
      },
    },
    handler: async (request, reply) => {
      const { caller } = request
      if (caller === null) throw new AppError('UNAUTHORIZED')
      if (live === undefined) throw new AppError('UNAVAILABLE')
      const { memberId, address, tokenHash } = caller
      const isOperator = await live.isOperator(address)
      const reader = { memberId, address, tokenHash, isOperator, source: sourceOf(request) }
      live.requireRoom(reader)
      reply.headers(STREAM_HEADERS)
      // Fastify answers HEAD by the same function.
      if (request.method === 'HEAD') return reply.send()
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
      live.open(reader, reply.raw, ageIn(request.headers[PAGE_AGE_HEADER]))
    },
  })
}

/** Reads the age of a page in ms; undefined if it is none. */
const ageIn = (text: string | string[] | undefined): number | undefined =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined
