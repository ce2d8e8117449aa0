import autocannon, { type Options } from 'autocannon'
import type { FastifyInstance } from 'fastify'

/** The result of a load over HTTP. */
export interface Load {
  readonly perSecond: number
  readonly p99Ms: number
  /** The share of responses with status 304. */
  readonly unchanged: number
  /** The responses with another status than 200 and 304, by status, and the requests without a response. */
  readonly refused: Readonly<Record<string, number>>
}

const CONNECTIONS = 32

/** Sends requests to the paths in turn, over 32 connections, for some seconds. */
export async function load(
  app: FastifyInstance,
  requests: NonNullable<Options['requests']>,
  seconds: number,
): Promise<Load> {
  await app.listen({ host: '127.0.0.1', port: 0 }).catch(() => undefined)
  const { port } = app.server.address() as { port: number }
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    // In a separate thread, so that the load does not share an event loop with the server.
    workers: 1,
    requests,
  })
  const count = (status: string) => result.statusCodeStats[status]?.count ?? 0
  const answered = count('200') + count('304')
  const refused = Object.keys(result.statusCodeStats).filter((status) => status !== '200' && status !== '304')
  return {
    perSecond: answered / result.duration,
    p99Ms: result.latency.p99,
    unchanged: answered === 0 ? 0 : count('304') / answered,
    refused: Object.fromEntries([
      ...refused.map((status) => [status, count(status)]),
      // Errors include timeouts.
      ...(result.errors > 0 ? [['no response', result.errors]] : []),
    ]),
  }
}
