import autocannon, { type Options } from 'autocannon'
import type { FastifyInstance } from 'fastify'

/** A load over HTTP. `unchanged` is the share of responses with status 304. */
export interface Load {
  readonly perSecond: number
  readonly p99Ms: number
  readonly unchanged: number
}

const CONNECTIONS = 32

/** Sends requests by turns over 32 connections for some seconds. Throws Error when one is refused or fails. */
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
    // A thread of its own: the load must not take turns with the server in one event loop.
    workers: 1,
    requests,
  })
  const count = (status: number) => result.statusCodeStats[status]?.count ?? 0
  const answered = Object.values(result.statusCodeStats).reduce((sum, one) => sum + one.count, 0)
  const refused = answered - count(200) - count(304)
  if (answered === 0 || refused + result.errors + result.timeouts > 0)
    throw new Error(`${refused} requests were refused, ${result.errors} failed, ${result.timeouts} timed out`)
  return {
    perSecond: result.requests.total / result.duration,
    p99Ms: result.latency.p99,
    unchanged: count(304) / answered,
  }
}
