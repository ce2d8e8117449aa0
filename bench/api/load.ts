import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import type { FastifyInstance } from 'fastify'
import type { Caller } from './members.ts'

export interface Figures {
  readonly perSecond: number
  readonly p99Ms: number
}

/**
 * Measures the requests per second of an app with 32 connections, each of which sends its next request after
 * the last response.
 */
export async function measure(
  app: FastifyInstance,
  path: string,
  callers: readonly Caller[],
  { connections, seconds }: { connections: number; seconds: number },
): Promise<Figures> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 }).catch(() => undefined)
  const port = (app.server.address() as { port: number }).port
  const result = await autocannon({
    url: address ?? `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    // In a separate thread, so that the load does not share an event loop with the server.
    workers: 1,
    setupClient: fileURLToPath(new URL('rotate.cjs', import.meta.url)),
    requests: callers.map((caller) => ({
      path,
      headers: { authorization: `Bearer ${caller.token}`, 'x-wallet-address': caller.address },
    })),
  })
  if (result.non2xx + result.errors + result.timeouts > 0) {
    throw new Error(
      `${path}: ${result.non2xx} refused, ${result.errors} failed, ${result.timeouts} timed out`,
    )
  }
  return { perSecond: result.requests.total / result.duration, p99Ms: result.latency.p99 }
}
